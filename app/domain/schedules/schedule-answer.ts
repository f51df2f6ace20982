import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { doseWords, namedDose, type Blend } from '#app/domain/vials/contents.ts';
import type { ScheduleSwap } from './plan-changes.ts';
import { type ScheduleDetails, scheduleDetailsOf } from './schedule-schema.ts';
import type { Ramp, ScheduleRule } from './schedule-rule.ts';

/** A schedule as it is stored, with today's compound, vial and dose. */
interface AnsweredSchedule extends ScheduleRule, ScheduleDetails {
  id: string;
  name: string;
  compoundId: string | null;
  blend?: Blend | null;
  reminderLeadMinutes: number;
  isActive: boolean;
  nextDoseDate: Date | null;
  lastDoseDate: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

type SwapAnswer = Pick<ScheduleSwap, 'id' | 'fromDay' | 'name' | 'compoundId'> & {
  doseAmount: number | null;
};

/** The components of a blend and the one that its dose counts; none for a single peptide. */
const blendAnswer = (blend: Blend | null | undefined) => ({
  components: (blend?.components ?? []).map(({ name, amount }) => ({ name, amount: Number(amount) })),
  doseOf: blend?.doseOf ?? null,
});

const rampAnswer = ({ start, step, everyWeeks, target }: Ramp) => ({
  ...{ start: Number(start), step: Number(step) },
  ...{ everyWeeks, target: Number(target) },
});

const swapAnswer = ({ id, fromDay, name, compoundId, doseAmount }: ScheduleSwap): SwapAnswer => ({
  ...{ id, fromDay, name, compoundId },
  doseAmount: doseAmount === null ? null : Number(doseAmount),
});

/** A schedule for the API and the terminal: amounts are numbers in its unit, those of a blend's components in mg. */
export function scheduleAnswer(schedule: AnsweredSchedule) {
  const { id, name, compoundId, blend, doseUnit, timeZone, startDate, endDate, course } = schedule;
  const { frequency, reminderLeadMinutes, isActive, nextDoseDate, lastDoseDate, createdAt, updatedAt } =
    schedule;
  return {
    ...{ id, name, compoundId, doseUnit, timeZone, startDate, endDate, course },
    ...{ reminderLeadMinutes, isActive, nextDoseDate, lastDoseDate, createdAt, updatedAt },
    ...scheduleDetailsOf(schedule),
    ...blendAnswer(blend),
    endsWithVial: schedule.endsWithVial ?? false,
    stopsAt: schedule.stopsAt ?? null,
    doseAmount: Number(schedule.doseAmount),
    frequency:
      frequency.kind === 'weekdays' ? { ...frequency, weekdays: [...frequency.weekdays] } : frequency,
    times: [...schedule.times],
    firstDueAt: schedule.firstDueAt ?? null,
    ramp: schedule.ramp === null ? null : rampAnswer(schedule.ramp),
    pauses: [...(schedule.pauses ?? [])],
    swaps: (schedule.swaps ?? []).map(swapAnswer),
  };
}

export type ScheduleAnswer = ReturnType<typeof scheduleAnswer>;

/** The compound, vial and dose of a schedule on a day. */
interface PlannedPart {
  name: string;
  compoundId: string | null;
  doseAmount: string;
  blend?: Blend;
}

const partAnswer = ({ name, compoundId, doseAmount, blend }: PlannedPart) => ({
  ...{ name, compoundId, doseAmount: Number(doseAmount) },
  ...blendAnswer(blend),
});

/** A dose that a swap changes, for the API and the terminal. */
export const swappedDoseAnswer = (dose: { dueDate: Date; before: PlannedPart; after: PlannedPart }) => ({
  dueDate: dose.dueDate,
  before: partAnswer(dose.before),
  after: partAnswer(dose.after),
});

export type SwappedDoseAnswer = ReturnType<typeof swappedDoseAnswer>;

/** "BPC-157, 250 mcg": a part of a schedule in words. */
export function partWords(part: SwappedDoseAnswer['after'], doseUnit: DoseUnit): string {
  const blend = blendOfAnswer(part);
  return namedDose(part.name, doseWords(textOf(part.doseAmount), doseUnit, blend), blend);
}

const textOf = (number: number): string => new Decimal(number).toFixed();

/** The blend of an answer with its amounts as they are stored; null for a single peptide. */
function blendOfAnswer({ components, doseOf }: ReturnType<typeof blendAnswer>): Blend | null {
  if (doseOf === null) return null;
  return { doseOf, components: components.map(({ name, amount }) => ({ name, amount: textOf(amount) })) };
}

/** What describes the schedule of an answer, with its amounts as they are stored. */
export function describedAnswer(answer: ScheduleAnswer) {
  const { name, frequency, times, timeZone, startDate, endDate, doseAmount, doseUnit, ramp, course } = answer;
  return {
    ...{ name, frequency, times, timeZone, startDate, endDate, doseUnit, course },
    doseAmount: textOf(doseAmount),
    ramp:
      ramp === null
        ? null
        : {
            ...{ start: textOf(ramp.start), step: textOf(ramp.step) },
            ...{ everyWeeks: ramp.everyWeeks, target: textOf(ramp.target) },
          },
    blend: blendOfAnswer(answer),
    pauses: answer.pauses,
    endsWithVial: answer.endsWithVial,
    stopsAt: answer.stopsAt,
  };
}
