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

/** Maximum length of text shown in a control again; longer text is rejected anyway. */
const MAX_SHOWN_LENGTH = 4000;
/** Maximum number of list entries read; longer lists are rejected anyway. */
const MAX_LISTED = 100;

/** A sent form: the values to show again, and the body in the shape of the operation's schema. */
export interface SentSchedule {
  values: ScheduleValues;
  body: Record<string, unknown>;
}

/** Nests fields as in the API: `ramp.start` becomes `start` of `ramp`. */
function nested(flat: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of flat) {
    const [outer = '', inner] = name.split('.');
    body[outer] = inner === undefined ? value : { ...(body[outer] as object | undefined), [inner]: value };
  }
  return body;
}

/** Reads a sent form. A single-value control that is sent twice, or as a file, counts as empty. */
export function readScheduleForm(form: FormData): SentSchedule {
  const texts = (name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  const single = SINGLE_CONTROLS.map((name) => {
    const [value = '', ...more] = texts(name);
    return [name, more.length > 0 ? '' : value.slice(0, MAX_SHOWN_LENGTH)] as const;
  });
  const lists = LIST_CONTROLS.map((name) => [name, texts(name).slice(0, MAX_LISTED)] as const);
  const [confirmedAmount] = texts('confirmedAmount');
  const answer = confirmedAmount === undefined ? [] : [['confirmedAmount', confirmedAmount] as const];
  const filledLists = lists.map(([name, all]) => [name, all.filter((text) => text !== '')] as const);
  return {
    values: {
      single: Object.fromEntries(single),
      lists: Object.fromEntries(filledLists) as ScheduleValues['lists'],
    },
    body: nested([...single, ...lists, ...answer]),
  };
}
