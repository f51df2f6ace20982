import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { rampSteps, SCHEDULE_DOSE_UNITS, type Ramp } from './schedule-rule.ts';
import { isTimeZone } from '#app/domain/time/time-zone.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import { MAX_NAME_LENGTH, MAX_NOTES_LENGTH } from '#app/domain/forms/text-fields.ts';
import {
  dayField,
  idField,
  lineField,
  notesField,
  saveKeyField,
  wholeField,
} from '#app/domain/forms/fields.ts';
import {
  courseField,
  doseField,
  frequencyField,
  rampField,
  timesField,
  unlessAllBlank,
  unlessBlank,
} from './schedule-fields.ts';

/** Largest single dose, in mg: what the largest vial of the calculator holds. */
export const MAX_DOSE_MG = 100;
/** Longest reminder lead before a dose, in minutes. */
export const MAX_LEAD_MINUTES = 120;
/** Within so many weeks a ramp has to be at its target: ten years. */
export const MAX_RAMP_WEEKS = 520;

export const SCHEDULE_MESSAGES = {
  created: 'Schedule created successfully',
  updated: 'Schedule updated successfully',
  deleted: 'Schedule deleted successfully',
  activated: 'Schedule activated',
  paused: 'Schedule paused',
  failedToCreate: 'Failed to create schedule',
  failedToUpdate: 'Failed to update schedule',
  notFound: 'Schedule not found.',
  changed: 'This schedule was just changed somewhere else. Check it and try again.',
  name: `Enter a name of at most ${MAX_NAME_LENGTH} characters`,
  compoundId: 'Choose one of your vials',
  finalVial: 'This vial is empty or discarded. Choose another one.',
  doseAmount: 'Enter the dose as a number above zero',
  doseTooLarge: `A dose can be at most ${MAX_DOSE_MG} mg`,
  doseUnit: 'Choose mg or mcg',
  timeZone: 'Choose a time zone from the list',
  startDate: 'Enter the first day as YYYY-MM-DD',
  endDate: 'Enter the last day as YYYY-MM-DD',
  order: 'The end date must not be before the start date',
  route: 'Route can have at most 60 characters',
  lead: `Enter minutes from 0 to ${MAX_LEAD_MINUTES}`,
  notes: `Notes can have at most ${MAX_NOTES_LENGTH} characters`,
  noSteps: 'This ramp never ends: the change must be more than zero',
  wrongWay: 'This ramp never ends: the change goes away from the last dose',
  atTarget: 'First and last dose are the same: leave the ramp empty',
  tooSlow: 'This ramp takes more than ten years. Use larger or more frequent changes.',
  onceAlone: 'A one-time dose has no ramp or course: leave them empty',
} as const;

const name = lineField(SCHEDULE_MESSAGES.name, MAX_NAME_LENGTH).refine((text) => text !== null, {
  error: SCHEDULE_MESSAGES.name,
});

/** The fields of a schedule, named as the API names them; a form names nested ones with a point. */
export const scheduleFields = z.object({
  name,
  compoundId: unlessBlank(idField(SCHEDULE_MESSAGES.compoundId)),
  doseAmount: unlessBlank(doseField(SCHEDULE_MESSAGES.doseAmount)),
  doseUnit: z.enum(SCHEDULE_DOSE_UNITS, { error: SCHEDULE_MESSAGES.doseUnit }),
  frequency: frequencyField,
  times: timesField,
  timeZone: unlessBlank(
    z
      .string({ error: SCHEDULE_MESSAGES.timeZone })
      .max(64, { error: SCHEDULE_MESSAGES.timeZone, abort: true })
      .refine(isTimeZone, { error: SCHEDULE_MESSAGES.timeZone }),
  ),
  startDate: dayField(SCHEDULE_MESSAGES.startDate),
  endDate: unlessBlank(dayField(SCHEDULE_MESSAGES.endDate)),
  route: unlessBlank(lineField(SCHEDULE_MESSAGES.route, 60)),
  reminderLeadMinutes: unlessBlank(wholeField(SCHEDULE_MESSAGES.lead, 0, MAX_LEAD_MINUTES)),
  notes: unlessBlank(notesField(SCHEDULE_MESSAGES.notes)),
  ramp: unlessAllBlank(rampField),
  course: unlessAllBlank(courseField),
  saveKey: saveKeyField,
});

type Fields = z.output<typeof scheduleFields>;
type Report = (path: string, message: string) => void;

function rampProblem(ramp: Ramp): [field: string, message: string] | null {
  const { start, step, target, everyWeeks } = ramp;
  if (new Decimal(start).eq(target)) return ['target', SCHEDULE_MESSAGES.atTarget];
  if (new Decimal(step).eq(0)) return ['step', SCHEDULE_MESSAGES.noSteps];
  const steps = rampSteps(ramp);
  if (steps === Infinity) return ['step', SCHEDULE_MESSAGES.wrongWay];
  return steps * everyWeeks > MAX_RAMP_WEEKS ? ['step', SCHEDULE_MESSAGES.tooSlow] : null;
}

function checkDoses({ doseAmount, doseUnit, ramp }: Fields, report: Report): void {
  const isTooLarge = (text: string | undefined) =>
    text !== undefined && massInMg(text, doseUnit).gt(MAX_DOSE_MG);
  if (doseAmount === undefined && ramp === undefined) report('doseAmount', SCHEDULE_MESSAGES.doseAmount);
  if (isTooLarge(doseAmount)) report('doseAmount', SCHEDULE_MESSAGES.doseTooLarge);
  if (isTooLarge(ramp?.start)) report('ramp.start', SCHEDULE_MESSAGES.doseTooLarge);
  if (isTooLarge(ramp?.target)) report('ramp.target', SCHEDULE_MESSAGES.doseTooLarge);
  const problem = ramp === undefined ? null : rampProblem(ramp);
  if (problem !== null) report(`ramp.${problem[0]}`, problem[1]);
}

function checkTiming({ frequency, startDate, endDate, ramp, course }: Fields, report: Report): void {
  if (endDate !== undefined && endDate < startDate) report('endDate', SCHEDULE_MESSAGES.order);
  if (frequency.kind !== 'once') return;
  if (ramp !== undefined) report('ramp.start', SCHEDULE_MESSAGES.onceAlone);
  if (course !== undefined) report('course.weeksOn', SCHEDULE_MESSAGES.onceAlone);
}

/** What a valid schedule is, for pages, API and templates. Doses of a ramp take the place of the dose. */
export const scheduleSchema = scheduleFields.superRefine((fields, context) => {
  const report: Report = (path, message) =>
    context.addIssue({ code: 'custom', path: path.split('.'), message });
  checkDoses(fields, report);
  checkTiming(fields, report);
});

export type ScheduleInput = z.input<typeof scheduleSchema>;
export type ScheduleFields = z.output<typeof scheduleSchema>;

/** Pausing or going on. */
export const toggleSchema = z.object({
  isActive: z.boolean({ error: 'Say whether the schedule is active: true or false' }),
});
