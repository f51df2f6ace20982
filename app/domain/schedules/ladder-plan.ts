import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { MAX_NAME_LENGTH } from '#app/domain/forms/text-fields.ts';
import { lineField, saveKeyField, wholeField } from '#app/domain/forms/fields.ts';
import { rampDose, rampSteps, type Ramp } from './schedule-rule.ts';
import {
  calendarDayField,
  MAX_WEEKS,
  SCHEDULE_MESSAGES,
  timeOfDay,
  TIMING_MESSAGES,
} from './schedule-schema.ts';

/** Why a ladder is no schedule. */
export const UNEVEN_DOSES =
  'These doses do not change by the same amount each time, so one schedule cannot go through them.';

/** How often the doses of a titration are taken. */
export const RHYTHMS = ['weekly', 'daily'] as const;

const ofVial = {
  name: lineField(SCHEDULE_MESSAGES.name, MAX_NAME_LENGTH)
    .refine((text) => text !== null, { error: SCHEDULE_MESSAGES.name })
    .transform((text) => text ?? ''),
  /** One for each rendering of the form, so that sending it twice has one effect. */
  saveKey: saveKeyField,
};

/** The form that makes a ladder's doses a plan: with a schedule, or with the button for it only its vial. */
export const ladderPlanSchema = z.preprocess(
  (sent) => ({
    ...(sent as object),
    intent: (sent as { intent?: unknown }).intent === 'plan' ? 'plan' : 'vial',
  }),
  z.discriminatedUnion('intent', [
    z.object({ intent: z.literal('vial'), ...ofVial }),
    z.object({
      intent: z.literal('plan'),
      ...ofVial,
      rhythm: z.enum(RHYTHMS, { error: TIMING_MESSAGES.kind }),
      startDate: calendarDayField(SCHEDULE_MESSAGES.startDate),
      time: timeOfDay,
      everyWeeks: wholeField(TIMING_MESSAGES.weeks, 1, MAX_WEEKS),
      /** Names the unusual amounts that were asked about. */
      confirmedAmount: z.string().max(300).optional(),
    }),
  ]),
);

export type LadderPlanForm = z.output<typeof ladderPlanSchema>;

/**
 * The dose and ramp of a schedule that takes these doses, each for some weeks. A single dose has no ramp.
 * @param doses decimal texts in one unit
 * @returns null if the dose doesn't change by the same amount each time, which no ramp does
 */
export function rampOfDoses(
  doses: readonly string[],
  everyWeeks: number,
): { doseAmount: string; ramp: Ramp | null } | null {
  const [start = '', second, ...rest] = doses;
  if (second === undefined) return { doseAmount: start, ramp: null };
  const step = new Decimal(second).minus(start).toFixed();
  const ramp = { start, step, everyWeeks, target: rest.at(-1) ?? second };
  const isRamp =
    rampSteps(ramp) === doses.length - 1 &&
    doses.every((dose, at) => new Decimal(dose).eq(rampDose(ramp, at)));
  return isRamp ? { doseAmount: start, ramp } : null;
}
