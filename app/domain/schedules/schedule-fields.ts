import * as z from 'zod';
import { Decimal, decimalTextOfNumber, readDecimalText } from '#app/domain/decimal/decimal.ts';
import { FREQUENCY_KINDS, WEEKDAYS, type Frequency } from './schedule-rule.ts';
import { wholeField } from '#app/domain/forms/fields.ts';

/** Most times of day that one schedule can have. */
export const MAX_TIMES = 24;
/** Longest interval, and longest run of a cycle, in days. */
export const MAX_DAYS = 365;
/** Longest run of a course, and longest step of a ramp, in weeks. */
export const MAX_WEEKS = 104;

/** Messages of the fields that say when. */
export const TIMING_MESSAGES = {
  kind: 'Choose how often',
  weekdays: 'Choose at least one weekday',
  every: `Enter a whole number of days from 1 to ${MAX_DAYS}`,
  on: `Enter how many days on, from 1 to ${MAX_DAYS}`,
  off: `Enter how many days off, from 1 to ${MAX_DAYS}`,
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

/** A group of controls all left empty counts as absent. */
export const unlessAllBlank = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    const isEmpty = isGroup && Object.values(value).every((part) => part === undefined || isBlank(part));
    return value === null || isEmpty ? undefined : value;
  }, schema.optional());

/** One or several of a form or a list of JSON, without empty controls. */
const manyOf = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === undefined ? [] : [value].flat().filter((one) => !isBlank(one))), schema);

const weekdays = manyOf(
  z
    .array(z.enum(WEEKDAYS, { error: TIMING_MESSAGES.weekdays }), { error: TIMING_MESSAGES.weekdays })
    .min(1, { error: TIMING_MESSAGES.weekdays })
    .transform((chosen) => WEEKDAYS.filter((day) => chosen.includes(day))),
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
  once: z.object({ kind: z.literal('once') }),
} as const;

/** How often. Of what a form sends only the fields of the chosen kind are looked at. */
export const frequencyField = z.discriminatedUnion(
  'kind',
  [KIND_FIELDS.daily, KIND_FIELDS.weekdays, KIND_FIELDS.interval, KIND_FIELDS.cycle, KIND_FIELDS.once],
  {
    error: ({ input }) => {
      const kind: unknown =
        typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
      return FREQUENCY_KINDS.some((known) => known === kind) ? undefined : TIMING_MESSAGES.kind;
    },
  },
) satisfies z.ZodType<Frequency>;

const timeOfDay = z
  .string({ error: TIMING_MESSAGES.time })
  .trim()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: TIMING_MESSAGES.time });

/** Times of day, in order. */
export const timesField = manyOf(
  z
    .array(timeOfDay, { error: TIMING_MESSAGES.times })
    .min(1, { error: TIMING_MESSAGES.times })
    .max(MAX_TIMES, { error: TIMING_MESSAGES.tooMany })
    .refine((times) => new Set(times).size === times.length, { error: TIMING_MESSAGES.twice })
    .transform((times) => times.toSorted()),
);

/** A change: a decimal that may have a sign. Decimal text. */
const signedDecimal = (message: string) =>
  z.union([z.string(), z.number()], { error: message }).transform((value, context): string => {
    const isNegative = typeof value === 'number' ? value < 0 : /^\s*[-−]/.test(value);
    const size =
      typeof value === 'number'
        ? decimalTextOfNumber(Math.abs(value))
        : readDecimalText(value.replace(/^\s*[-−+]/, ''));
    if (size !== null) return new Decimal(size).times(isNegative ? -1 : 1).toFixed();
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });

/** A dose of a schedule as decimal text; its greatest is checked with its unit. */
export const doseField = (message: string) =>
  z.union([z.string(), z.number()], { error: message }).transform((value, context): string => {
    const text = typeof value === 'number' ? decimalTextOfNumber(value) : readDecimalText(value);
    if (text !== null && new Decimal(text).gt(0)) return new Decimal(text).toFixed();
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });

export const rampField = z.object({
  start: doseField(TIMING_MESSAGES.start),
  step: signedDecimal(TIMING_MESSAGES.step),
  everyWeeks: wholeField(TIMING_MESSAGES.weeks, 1, MAX_WEEKS),
  target: doseField(TIMING_MESSAGES.target),
});

export const courseField = z.object({
  weeksOn: wholeField(TIMING_MESSAGES.weeks, 1, MAX_WEEKS),
  weeksOff: wholeField(TIMING_MESSAGES.weeks, 1, MAX_WEEKS),
});
