import * as z from 'zod';
import { FREQUENCY_KINDS, SCHEDULE_DOSE_UNITS, WEEKDAYS } from '#app/domain/schedules/schedule-types.ts';
import type { ScheduleView } from './schedules.server.ts';
import { day, instant, named } from '#app/platform/api/shapes.ts';

const decimal = z.union([z.number(), z.string()]);
const wholeOrText = z.union([z.int(), z.string()]);
const orNone = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

const frequencyShape = z.object({
  kind: z.enum(FREQUENCY_KINDS),
  weekdays: z.array(z.enum(WEEKDAYS)).optional().describe('Of the kind "weekdays"'),
  every: z.int().optional().describe('Days, of the kind "interval": counted from startDate'),
  on: z.int().optional().describe('Days, of the kind "cycle": the first is startDate'),
  off: z.int().optional().describe('Days, of the kind "cycle"'),
});

const optionalFields = {
  compoundId: orNone(z.string()).describe('Vial that doses draw from first'),
  timeZone: orNone(z.string()).describe('IANA name; your own zone by default'),
  endDate: orNone(z.string()).describe('Last day, YYYY-MM-DD, itself included'),
  route: orNone(z.string()),
  reminderLeadMinutes: orNone(wholeOrText).describe('0 to 120; your own choice by default'),
  notes: orNone(z.string()),
  ramp: orNone(
    z.object({
      start: decimal.describe('First dose, in doseUnit'),
      step: decimal.describe('Change, with a minus if the dose goes down'),
      everyWeeks: wholeOrText,
      target: decimal.describe('Last dose, which stays'),
    }),
  ).describe('Takes the place of doseAmount'),
  course: orNone(z.object({ weeksOn: wholeOrText, weeksOff: wholeOrText })),
};

/** What a schedule is made from. Its values are checked by the service, which words what is wrong. */
export const newScheduleBody = z.object({
  name: z.string(),
  doseAmount: orNone(decimal).describe('In doseUnit, over 0 to 100 mg; required without a ramp'),
  doseUnit: z.enum(SCHEDULE_DOSE_UNITS),
  frequency: z.object({
    kind: z.enum(FREQUENCY_KINDS),
    weekdays: orNone(z.array(z.enum(WEEKDAYS))),
    every: orNone(wholeOrText),
    on: orNone(wholeOrText),
    off: orNone(wholeOrText),
  }),
  times: z.array(z.string()).describe('HH:MM on the clock of the zone, 1 to 24 of them'),
  startDate: z.string().describe('First day, YYYY-MM-DD'),
  ...optionalFields,
});

/** What of it is changed. */
export const scheduleChangesBody = newScheduleBody.partial();

/** A schedule in an answer. */
export const scheduleShape = named(
  'Schedule',
  z.object({
    id: z.string(),
    name: z.string(),
    compoundId: z.string().nullable(),
    doseAmount: z.number().describe('In doseUnit; the first dose of a ramp'),
    doseUnit: z.enum(SCHEDULE_DOSE_UNITS),
    frequency: frequencyShape,
    times: z.array(z.string()),
    timeZone: z.string(),
    startDate: day,
    endDate: day.nullable(),
    route: z.string().nullable(),
    reminderLeadMinutes: z.int(),
    notes: z.string().nullable(),
    ramp: z
      .object({ start: z.number(), step: z.number(), everyWeeks: z.int(), target: z.number() })
      .nullable(),
    course: z.object({ weeksOn: z.int(), weeksOff: z.int() }).nullable(),
    isActive: z.boolean(),
    nextDoseDate: instant.nullable().describe('Null when it is paused or over'),
    lastDoseDate: instant.nullable().describe('When the last dose was taken'),
    createdAt: instant,
    updatedAt: instant,
  }),
);

/** A schedule as the answer holds it: doses as numbers. */
export function toScheduleResponse({
  doseAmount,
  ramp,
  frequency,
  times,
  ...rest
}: ScheduleView): z.input<typeof scheduleShape> {
  const numbers =
    ramp === null
      ? null
      : {
          start: Number(ramp.start),
          step: Number(ramp.step),
          everyWeeks: ramp.everyWeeks,
          target: Number(ramp.target),
        };
  const often =
    frequency.kind === 'weekdays' ? { ...frequency, weekdays: [...frequency.weekdays] } : frequency;
  return { ...rest, doseAmount: Number(doseAmount), ramp: numbers, frequency: often, times: [...times] };
}

/** A schedule in the document's examples. */
export const EXAMPLE_SCHEDULE = {
  id: 'sched_674051b0a1b2c3d4e5f60718',
  name: 'BPC-157',
  compoundId: null,
  doseAmount: 0.25,
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  timeZone: 'Europe/Berlin',
  startDate: '2026-11-22',
  endDate: null,
  route: 'Subcutaneous',
  reminderLeadMinutes: 15,
  notes: null,
  ramp: null,
  course: null,
  isActive: true,
  nextDoseDate: '2026-11-23T07:00:00.000Z',
  lastDoseDate: null,
  createdAt: '2026-11-22T08:00:00.000Z',
  updatedAt: '2026-11-22T08:00:00.000Z',
};

/** A body in the document's examples. */
export const EXAMPLE_SCHEDULE_BODY = {
  name: 'BPC-157',
  doseAmount: 0.25,
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  timeZone: 'Europe/Berlin',
  startDate: '2026-11-22',
};
