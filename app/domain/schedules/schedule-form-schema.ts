import * as z from 'zod';
import type { Slip } from '#app/domain/units/meant-mcg.ts';
import { momentField } from '#app/domain/time/zoned-time.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import type { ScheduleRule } from './schedule-rule.ts';

/** Form controls with a single value, named like the API's fields; nested ones with a dot. */
export const SINGLE_CONTROLS = [
  'name',
  'compoundId',
  'endsWithVial',
  'doseOf',
  'doseAmount',
  'doseUnit',
  'frequency.kind',
  'frequency.every',
  'frequency.on',
  'frequency.off',
  'frequency.day',
  'frequency.everyHours',
  'frequency.minGapHours',
  'frequency.maxPerDay',
  'firstDueAt',
  'timeZone',
  'startDate',
  'endDate',
  'route',
  'reminderLeadMinutes',
  'notes',
  'ramp.start',
  'ramp.step',
  'ramp.everyWeeks',
  'ramp.target',
  'course.weeksOn',
  'course.weeksOff',
  'saveKey',
] as const;
export type SingleControl = (typeof SINGLE_CONTROLS)[number];

/** Form controls that can have several values. */
export const LIST_CONTROLS = ['frequency.weekdays', 'times'] as const;
export type ListControl = (typeof LIST_CONTROLS)[number];

/** The values of the form's controls. */
export interface ScheduleValues {
  single: Partial<Record<SingleControl, string>>;
  lists: Record<ListControl, string[]>;
}

/** A question about a schedule's amounts; sending the form with its `confirmedAmount` confirms them. */
export interface PlanQuestion {
  messages: string[];
  confirmedAmount: string;
  /** The unusual dose, unless the question is about a ramp. */
  slip: Slip | null;
}

/** The fields of a schedule or template that the form shows. */
export interface ShownSchedule extends Omit<ScheduleRule, 'startDate' | 'endDate'> {
  name: string;
  startDate: string;
  endDate: string | null;
  compoundId: string | null;
  /** The blend it is drawn from, if any. */
  blend?: Blend | null | undefined;
  route: string | null;
  reminderLeadMinutes: number;
  notes: string | null;
}

const text = (value: string | number | null | undefined) =>
  value === null || value === undefined ? '' : String(value);

/** The initial values of the form for a schedule. */
export function valuesOf(schedule: ShownSchedule): ScheduleValues {
  const { frequency, ramp, course } = schedule;
  return {
    single: {
      name: schedule.name,
      compoundId: text(schedule.compoundId),
      endsWithVial: schedule.endsWithVial === true ? 'true' : '',
      doseOf: text(schedule.blend?.doseOf),
      doseAmount: ramp === null ? schedule.doseAmount : '',
      doseUnit: schedule.doseUnit,
      'frequency.kind': frequency.kind,
      'frequency.every': frequency.kind === 'interval' ? text(frequency.every) : '',
      'frequency.on': frequency.kind === 'cycle' ? text(frequency.on) : '',
      'frequency.off': frequency.kind === 'cycle' ? text(frequency.off) : '',
      'frequency.day': frequency.kind === 'monthly' ? text(frequency.day) : '',
      'frequency.everyHours': frequency.kind === 'after-last' ? text(frequency.everyHours) : '',
      'frequency.minGapHours': frequency.kind === 'as-needed' ? text(frequency.minGapHours) : '',
      'frequency.maxPerDay': frequency.kind === 'as-needed' ? text(frequency.maxPerDay) : '',
      firstDueAt: schedule.firstDueAt ? momentField(schedule.firstDueAt, schedule.timeZone) : '',
      timeZone: schedule.timeZone,
      startDate: schedule.startDate,
      endDate: text(schedule.endDate),
      route: text(schedule.route),
      reminderLeadMinutes: text(schedule.reminderLeadMinutes),
      notes: text(schedule.notes),
      'ramp.start': text(ramp?.start),
      'ramp.step': text(ramp?.step),
      'ramp.everyWeeks': text(ramp?.everyWeeks),
      'ramp.target': text(ramp?.target),
      'course.weeksOn': text(course?.weeksOn),
      'course.weeksOff': text(course?.weeksOff),
    },
    lists: {
      'frequency.weekdays': frequency.kind === 'weekdays' ? [...frequency.weekdays] : [],
      times: [...schedule.times],
    },
  };
}

/** Maximum number of list entries shown again; longer lists are rejected anyway. */
const MAX_LISTED = 100;

const typed = z.string().default('');
// An empty control is sent, too.
const list = z.array(typed).default([]);

/** The texts of all controls of a group, or of those without a group. */
function textsOf(group: string) {
  const names = SINGLE_CONTROLS.map((name) => name.split('.'))
    .filter((parts) => (parts.length === 1 ? '' : parts[0]) === group)
    .map((parts) => parts.at(-1) ?? '');
  return Object.fromEntries(names.map((name) => [name, typed]));
}

/**
 * The form as it was typed, in the shape of the operation's schema, which checks it: an empty control clears its field. `preview`
 * only shows what the schedule would do.
 */
export const scheduleFormSchema = z.object({
  ...textsOf(''),
  frequency: z.object({ ...textsOf('frequency'), weekdays: list }),
  times: list,
  ramp: z.object(textsOf('ramp')),
  course: z.object(textsOf('course')),
  confirmedAmount: z.string().optional(),
  step: z.enum(['preview', 'save']).optional(),
});

/** What is at a control's name in a sent form. */
function sentAt(sent: unknown, name: string): unknown {
  let value = sent;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part];
  return value;
}

/** The values of a sent form, to show it again. */
export function sentValues(sent: Record<string, unknown> | null | undefined): ScheduleValues {
  const lists = LIST_CONTROLS.map((name) => {
    const texts = [sentAt(sent, name) ?? []].flat().slice(0, MAX_LISTED).map(String);
    return [name, texts.filter((one) => one !== '')];
  });
  return {
    single: Object.fromEntries(SINGLE_CONTROLS.map((name) => [name, String(sentAt(sent, name) ?? '')])),
    lists: Object.fromEntries(lists) as ScheduleValues['lists'],
  };
}
