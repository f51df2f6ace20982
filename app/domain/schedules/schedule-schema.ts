import * as z from 'zod';
import { Decimal, decimalTextOfNumber, readDecimalText } from '#app/domain/decimal/decimal.ts';
import {
  DOSE_UNITS,
  substanceUnitOf,
  type DoseUnit,
  type SubstanceUnit,
} from '#app/domain/calculator/calculation.ts';
import {
  FREQUENCY_KINDS,
  hasTimes,
  WEEKDAYS,
  type Course,
  type Frequency,
  rampSteps,
  type Ramp,
} from './schedule-rule.ts';
import {
  wholeField,
  idField,
  lineField,
  momentField,
  notesField,
  picked,
  saveKeyField,
  zoneField,
  type StoredValues,
} from '#app/domain/forms/fields.ts';
import { componentsField } from '#app/domain/vials/components-field.ts';
import { isCalendarDay, TIME_OF_DAY } from '#app/domain/time/calendar.ts';
import {
  doseInUnit,
  MAX_DOSE,
  SUBSTANCE_AMOUNT_UNITS,
  toBaseUnit,
  mcgQuestions,
  namesUnit,
  withTypedUnit,
} from '#app/domain/units/quantity.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { MAX_NAME_LENGTH, MAX_NOTES_LENGTH, readAmount } from '#app/domain/forms/text-fields.ts';

/** Maximum length of a route. */
export const MAX_ROUTE_LENGTH = 60;
/** Maximum number of times of day. */
const MAX_TIMES = 24;
/** Maximum interval, and maximum days on or off in a cycle. */
const MAX_DAYS = 365;
/** Maximum hours between doses of a schedule that counts from the last dose: a year. */
const MAX_HOURS = 8760;
/** Highest daily maximum that an as-needed schedule can set. */
const MAX_PER_DAY = 24;
/** Maximum weeks on or off in a course, and between steps of a ramp. */
export const MAX_WEEKS = 104;

/** Messages of the timing fields. */
export const TIMING_MESSAGES = {
  kind: 'Choose how often',
  weekdays: 'Choose at least one weekday',
  every: `Enter a whole number of days from 1 to ${MAX_DAYS}`,
  on: `Enter how many days on, from 1 to ${MAX_DAYS}`,
  day: 'Choose a day of the month from 1 to 31, or the last day',
  off: `Enter how many days off, from 1 to ${MAX_DAYS}`,
  everyHours: `Enter a whole number of hours from 1 to ${MAX_HOURS}`,
  firstDueAt: 'Enter a date and a time for the first dose',
  minGapHours: `Enter a whole number of hours from 1 to ${MAX_HOURS}, or leave it empty`,
  maxPerDay: `Enter a whole number of doses from 1 to ${MAX_PER_DAY}, or leave it empty`,
  times: 'Add at least one time of day',
  time: 'Enter each time as HH:MM, from 00:00 to 23:59',
  tooMany: `A schedule can have at most ${MAX_TIMES} times a day`,
  twice: 'Enter each time of day only once',
  weeks: `Enter a whole number of weeks from 1 to ${MAX_WEEKS}`,
  start: 'Enter the first dose as a number above zero',
  step: 'Enter the change as a number, negative if the dose goes down',
  target: 'Enter the last dose as a number above zero',
} as const;

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

/** A control left empty counts as absent. */
export const unlessBlank = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional());

/** A group of controls that are all empty counts as absent. */
const unlessAllBlank = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    const isEmpty = isGroup && Object.values(value).every((part) => part === undefined || isBlank(part));
    return value === null || isEmpty ? undefined : value;
  }, schema.optional());

/** One or more values from a form, or a JSON list; empty controls are dropped. */
const manyOf = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === undefined ? [] : [value].flat().filter((one) => !isBlank(one))), schema);

const weekdays = manyOf(
  z
    .array(z.enum(WEEKDAYS, { error: TIMING_MESSAGES.weekdays }), { error: TIMING_MESSAGES.weekdays })
    .min(1, { error: TIMING_MESSAGES.weekdays })
    .transform((chosen) => WEEKDAYS.filter((day) => chosen.includes(day))),
);

/** A day of the month, as a number, as text, or "last". */
const monthDay = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim() : value),
  z.union([z.literal('last'), wholeField(TIMING_MESSAGES.day, 1, 31)], { error: TIMING_MESSAGES.day }),
);

const KIND_FIELDS = {
  daily: z.object({ kind: z.literal('daily') }),
  weekdays: z.object({ kind: z.literal('weekdays'), weekdays }),
  interval: z.object({ kind: z.literal('interval'), every: wholeField(TIMING_MESSAGES.every, 1, MAX_DAYS) }),
  cycle: z.object({
    kind: z.literal('cycle'),
    on: wholeField(TIMING_MESSAGES.on, 1, MAX_DAYS),
    off: wholeField(TIMING_MESSAGES.off, 1, MAX_DAYS),
  }),
  monthly: z.object({ kind: z.literal('monthly'), day: monthDay }),
  'after-last': z.object({
    kind: z.literal('after-last'),
    everyHours: wholeField(TIMING_MESSAGES.everyHours, 1, MAX_HOURS),
  }),
  'as-needed': z.object({
    kind: z.literal('as-needed'),
    minGapHours: unlessBlank(wholeField(TIMING_MESSAGES.minGapHours, 1, MAX_HOURS)),
    maxPerDay: unlessBlank(wholeField(TIMING_MESSAGES.maxPerDay, 1, MAX_PER_DAY)),
  }),
  once: z.object({ kind: z.literal('once') }),
} as const;

/** How often. Only the fields of the chosen kind are read. */
const frequencyField = z.discriminatedUnion(
  'kind',
  [
    KIND_FIELDS.daily,
    KIND_FIELDS.weekdays,
    KIND_FIELDS.interval,
    KIND_FIELDS.cycle,
    KIND_FIELDS.monthly,
    KIND_FIELDS['after-last'],
    KIND_FIELDS['as-needed'],
    KIND_FIELDS.once,
  ],
  {
    error: ({ input }) => {
      const kind: unknown =
        typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
      return FREQUENCY_KINDS.some((known) => known === kind) ? undefined : TIMING_MESSAGES.kind;
    },
  },
) satisfies z.ZodType<Frequency>;

/** A time of day, HH:MM. */
export const timeOfDay = z
  .string({ error: TIMING_MESSAGES.time })
  .trim()
  .regex(TIME_OF_DAY, { error: TIMING_MESSAGES.time });

/** Times of day, in order. */
const timesField = manyOf(
  z
    .array(timeOfDay, { error: TIMING_MESSAGES.times })
    .min(1, { error: TIMING_MESSAGES.times })
    .max(MAX_TIMES, { error: TIMING_MESSAGES.tooMany })
    .refine((times) => new Set(times).size === times.length, { error: TIMING_MESSAGES.twice })
    .transform((times) => times.toSorted()),
);

/** A change per step as signed decimal text. */
const signedDecimal = (message: string) =>
  z.union([z.string(), z.number()], { error: message }).transform((value, context): string => {
    const isNegative = typeof value === 'number' ? value < 0 : /^\s*[-−]/.test(value);
    const size =
      typeof value === 'number'
        ? decimalTextOfNumber(Math.abs(value))
        : readDecimalText(value.replace(/^\s*[-−+]/, ''));
    if (size !== null && new Decimal(size).lte(MAX_DOSE.IU))
      return new Decimal(size).times(isNegative ? -1 : 1).toFixed();
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });

/** A dose as decimal text without its unit. The maximum is checked later, together with the unit. */
export const doseField = (message: string) =>
  z.union([z.string(), z.number()], { error: message }).transform((value, context): string => {
    const read = readAmount(value, SUBSTANCE_AMOUNT_UNITS, message);
    const isAmount = 'text' in read && !(typeof value === 'string' && namesUnit(value));
    if (isAmount && new Decimal(read.text).gt(0)) return new Decimal(read.text).toFixed();
    context.issues.push({
      code: 'custom',
      message: 'problem' in read ? read.problem : message,
      input: value,
    });
    return z.NEVER;
  });

const rampField = z.object({
  start: doseField(TIMING_MESSAGES.start),
  step: signedDecimal(TIMING_MESSAGES.step),
  everyWeeks: wholeField(TIMING_MESSAGES.weeks, 1, MAX_WEEKS),
  target: doseField(TIMING_MESSAGES.target),
});

const courseField = z.object({
  weeksOn: wholeField(TIMING_MESSAGES.weeks, 1, MAX_WEEKS),
  weeksOff: wholeField(TIMING_MESSAGES.weeks, 1, MAX_WEEKS),
});

/** Maximum reminder lead before a dose, in minutes. */
const MAX_LEAD_MINUTES = 120;
/** Whether a dose (decimal text) is larger than a vial can hold. */
export const isDoseTooLarge = (text: string, unit: DoseUnit): boolean =>
  toBaseUnit(text, unit).gt(MAX_DOSE[substanceUnitOf(unit)]);

/** Maximum length of a ramp in weeks: ten years. */
const MAX_RAMP_WEEKS = 520;

export const SCHEDULE_MESSAGES = {
  created: 'Schedule created successfully',
  updated: 'Schedule updated successfully',
  deleted: 'Schedule deleted successfully',
  activated: 'Schedule activated',
  paused: 'Schedule paused',
  failedToCreate: 'Failed to create schedule',
  failedToUpdate: 'Failed to update schedule',
  failedToDelete: 'Failed to delete schedule',
  notFound: 'Schedule not found.',
  name: 'Enter a name',
  compoundId: 'Choose one of your vials',
  doseOf: 'Choose one of the components',
  otherMeasure: (measure: SubstanceUnit) =>
    `This vial is measured in ${measure}, and the dose is not. Choose ${measure} as the unit, or another vial.`,
  finalVial: 'This vial is empty or discarded. Choose another one.',
  endsWithVial: 'Say whether the schedule ends with the vial: true or false',
  endsWithNoVial: 'Choose the vial that the schedule ends with',
  doseAmount: 'Enter the dose as a number above zero',
  doseTooLarge: `A dose can be at most ${MAX_DOSE.mg} mg`,
  doseTooLargeInIu: `A dose can be at most ${figureText(String(MAX_DOSE.IU))} IU`,
  doseUnit: 'Choose mg, mcg or IU',
  timeZone: 'Choose a time zone from the list',
  startDate: 'Enter the first day as YYYY-MM-DD',
  endDate: 'Enter the last day as YYYY-MM-DD',
  dayRange: 'Enter a day from 1950 to 2199',
  order: 'The end date must not be before the start date',
  route: `Route can have at most ${MAX_ROUTE_LENGTH} characters`,
  lead: `Enter minutes from 0 to ${MAX_LEAD_MINUTES}`,
  notes: `Notes can have at most ${MAX_NOTES_LENGTH} characters`,
  noSteps: 'This ramp never ends: the change can’t be zero',
  wrongWay: 'This ramp never ends: the change leads away from the last dose',
  atTarget: 'The first and last dose are the same. Leave the ramp empty.',
  tooSlow: 'This ramp takes more than ten years. Use larger or more frequent changes.',
  afterLastAlone: 'A schedule that counts from the last dose can’t have weeks on and off',
  asNeededAlone: 'An as-needed schedule can’t have weeks on and off',
  onceAlone: 'A one-time dose can’t have a ramp or weeks on and off',
} as const;

const name = lineField(SCHEDULE_MESSAGES.name, MAX_NAME_LENGTH).refine((text) => text !== null, {
  error: SCHEDULE_MESSAGES.name,
});

/** Range of calendar days of a schedule, in which adding weeks or converting zones always gives a valid day. */
const [EARLIEST_DAY, LATEST_DAY] = ['1950-01-01', '2199-12-31'];

/** Placeholder `startDate` of an as-needed schedule without one: it starts on the day it is created. */
export const NO_FIRST_DAY = EARLIEST_DAY;

/** A calendar day within the allowed years. */
export const calendarDayField = (message: string) =>
  z
    .string({ error: message })
    .trim()
    .refine(isCalendarDay, { error: message, abort: true })
    .refine((day) => day >= EARLIEST_DAY && day <= LATEST_DAY, { error: SCHEDULE_MESSAGES.dayRange });

/** When the first dose is due: an instant, or local time in the schedule's zone. */
export const firstDueField = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString() : value),
  momentField(TIMING_MESSAGES.firstDueAt).refine((text) => text.slice(0, 10) <= LATEST_DAY, {
    error: SCHEDULE_MESSAGES.dayRange,
  }),
);

/** A boolean from JSON, from a checkbox (not sent when off) or from a CSV cell. */
const yesOrNo = (message: string) =>
  z.preprocess(
    (value) => (isBlank(value) || value === 'false' ? false : value === 'true' ? true : value),
    z.boolean({ error: message }).optional(),
  );

/** What may be noted about a schedule; null while nothing was entered. */
export const scheduleDetails = {
  route: unlessBlank(lineField(SCHEDULE_MESSAGES.route, MAX_ROUTE_LENGTH)),
  notes: unlessBlank(notesField(SCHEDULE_MESSAGES.notes)),
};

export type ScheduleDetails = StoredValues<typeof scheduleDetails>;

/** The details among some fields. */
export const scheduleDetailsOf = picked(scheduleDetails);

/** The fields of a schedule, named as in the API; a form names nested ones with a dot. */
export const scheduleFields = z.object({
  name,
  compoundId: unlessBlank(idField(SCHEDULE_MESSAGES.compoundId)),
  endsWithVial: yesOrNo(SCHEDULE_MESSAGES.endsWithVial),
  components: componentsField,
  doseOf: unlessBlank(lineField(SCHEDULE_MESSAGES.doseOf, MAX_NAME_LENGTH)),
  doseAmount: unlessBlank(doseField(SCHEDULE_MESSAGES.doseAmount)),
  doseUnit: z.enum(DOSE_UNITS, { error: SCHEDULE_MESSAGES.doseUnit }),
  frequency: frequencyField,
  times: timesField,
  firstDueAt: unlessBlank(firstDueField),
  timeZone: unlessBlank(zoneField(SCHEDULE_MESSAGES.timeZone)),
  startDate: calendarDayField(SCHEDULE_MESSAGES.startDate),
  endDate: unlessBlank(calendarDayField(SCHEDULE_MESSAGES.endDate)),
  ...scheduleDetails,
  reminderLeadMinutes: unlessBlank(wholeField(SCHEDULE_MESSAGES.lead, 0, MAX_LEAD_MINUTES)),
  ramp: unlessAllBlank(rampField),
  course: unlessAllBlank(courseField),
  saveKey: saveKeyField,
});

/** The fields of any kind of frequency. */
export type FrequencyField = Frequency extends infer Kind
  ? Kind extends Frequency
    ? keyof Kind
    : never
  : never;

/** A field in a group, by the name of its control. */
export type GroupField = `frequency.${FrequencyField}` | `ramp.${keyof Ramp}` | `course.${keyof Course}`;

/** The fields in groups, each group once. */
export const GROUP_FIELDS = Object.entries({
  frequency: new Set(Object.values(KIND_FIELDS).flatMap(({ shape }) => Object.keys(shape))),
  ramp: new Set(Object.keys(rampField.shape)),
  course: new Set(Object.keys(courseField.shape)),
}).flatMap(([group, names]) => [...names].map((name) => `${group}.${name}` as GroupField));

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
  if (doseAmount === undefined && ramp === undefined) report('doseAmount', SCHEDULE_MESSAGES.doseAmount);
  const checkSize = (path: string, text: string | undefined) => {
    if (text === undefined || !isDoseTooLarge(text, doseUnit)) return;
    const tooLarge = doseUnit === 'IU' ? SCHEDULE_MESSAGES.doseTooLargeInIu : SCHEDULE_MESSAGES.doseTooLarge;
    for (const message of [tooLarge, ...mcgQuestions(text, doseUnit)]) report(path, message);
  };
  checkSize('doseAmount', doseAmount);
  checkSize('ramp.start', ramp?.start);
  checkSize('ramp.target', ramp?.target);
  const problem = ramp === undefined ? null : rampProblem(ramp);
  if (problem !== null) report(`ramp.${problem[0]}`, problem[1]);
}

function checkTiming(
  { frequency, startDate, firstDueAt, endDate, ramp, course }: Fields,
  report: Report,
): void {
  const firstDay =
    frequency.kind === 'after-last' && firstDueAt !== undefined ? firstDueAt.trim().slice(0, 10) : startDate;
  if (endDate !== undefined && endDate < firstDay) report('endDate', SCHEDULE_MESSAGES.order);
  if (frequency.kind === 'after-last' && course !== undefined)
    report('course.weeksOn', SCHEDULE_MESSAGES.afterLastAlone);
  if (frequency.kind === 'as-needed' && course !== undefined)
    report('course.weeksOn', SCHEDULE_MESSAGES.asNeededAlone);
  if (frequency.kind !== 'once') return;
  if (ramp !== undefined) report('ramp.start', SCHEDULE_MESSAGES.onceAlone);
  if (course !== undefined) report('course.weeksOn', SCHEDULE_MESSAGES.onceAlone);
}

/** A valid schedule, for pages, API and templates. A ramp replaces the dose. */
export const scheduleSchema = z.preprocess(
  (sent) => withoutTimes(withDosesInOneUnit(sent)),
  scheduleFields
    .superRefine((fields, context) => {
      const report: Report = (path, message) =>
        context.addIssue({ code: 'custom', path: path.split('.'), message });
      checkDoses(fields, report);
      checkTiming(fields, report);
    })
    .transform(({ firstDueAt, ...fields }): Fields => {
      if (hasTimes(fields.frequency)) return fields;
      const isChain = fields.frequency.kind === 'after-last';
      return { ...fields, times: [], ...(isChain && firstDueAt !== undefined && { firstDueAt }) };
    }),
);

/**
 * A schedule that counts from the last dose has no times and no first day; an as-needed one has no times, and its first day is
 * optional. Fills in valid placeholders, so that values left over from another kind don't fail validation.
 */
function withoutTimes(sent: unknown): unknown {
  if (!isRecord(sent) || !isRecord(sent['frequency'])) return sent;
  const { startDate } = sent;
  switch (sent['frequency']['kind']) {
    case 'after-last':
      return { ...sent, times: ['00:00'], startDate: EARLIEST_DAY };
    case 'as-needed':
      return {
        ...sent,
        times: ['00:00'],
        firstDueAt: undefined,
        startDate: startDate === undefined || isBlank(startDate) ? NO_FIRST_DAY : startDate,
      };
    default:
      return sent;
  }
}

/** The fields of a ramp that are doses in the schedule's unit. */
const RAMP_DOSES = ['start', 'step', 'target'];

/** A unit typed with the dose sets the schedule's unit; doses of the ramp typed with another unit are converted to it. */
function withDosesInOneUnit(sent: unknown): unknown {
  const fields = withTypedUnit(sent, 'doseAmount', 'doseUnit');
  if (!isRecord(fields) || !isRecord(fields['ramp'])) return fields;
  const unit = DOSE_UNITS.find((known) => known === fields['doseUnit']);
  if (unit === undefined) return fields;
  const ramp = Object.entries(fields['ramp']).map(([name, value]) => {
    if (!RAMP_DOSES.includes(name) || typeof value !== 'string') return [name, value];
    const [, sign = '', size = ''] = /^\s*([-−+]?)(.*)$/s.exec(value) ?? [];
    return [name, `${sign}${doseInUnit(size, unit)}`];
  });
  return { ...fields, ramp: Object.fromEntries(ramp) as Record<string, unknown> };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type ScheduleFields = z.output<typeof scheduleSchema>;

/** Confirms an unusual amount: `confirm` whatever is sent, `confirmedAmount` only what a page asked about. */
export const confirmPlanSchema = z.object({
  confirm: z.boolean().optional(),
  confirmedAmount: z.string().max(300).optional(),
});
export type PlanConfirmation = z.output<typeof confirmPlanSchema>;

/** Input for pausing or resuming. */
export const toggleSchema = z.object({
  isActive: z.boolean({ error: 'Say whether the schedule is active: true or false' }),
});

/** The page that asks for confirmation: without a value, the schedule changes to the other state. */
export const toggleFormSchema = z.object({ isActive: z.string().optional() });
