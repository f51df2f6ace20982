import * as z from 'zod';
import type { Slip } from '#app/domain/units/meant-mcg.ts';
import { momentField } from '#app/domain/time/zoned-time.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import { controlTexts } from '#app/domain/forms/fields.ts';
import type { ScheduleRule } from './schedule-rule.ts';
import {
  GROUP_FIELDS,
  scheduleDetailsOf,
  scheduleFields,
  type GroupField,
  type ScheduleDetails,
} from './schedule-schema.ts';

/** Form controls that can have several values. */
const LIST_CONTROLS = ['frequency.weekdays', 'times'] as const;
type ListControl = (typeof LIST_CONTROLS)[number];

/** Fields without a control of their own name: the groups, lists, and the components, which are the vial's. */
const OTHERS = ['frequency', 'ramp', 'course', 'times', 'components'] as const;

/** Controls with a single value that stand in no group. */
type PlainControl = Exclude<keyof typeof scheduleFields.shape, (typeof OTHERS)[number]>;

/** Form controls with a single value, named like the API's fields; nested ones with a dot. */
export type SingleControl = PlainControl | Exclude<GroupField, ListControl>;

const GROUP_CONTROLS = GROUP_FIELDS.filter((name) => name !== 'frequency.weekdays');

const SINGLE_CONTROLS: readonly SingleControl[] = [
  ...(Object.keys(scheduleFields.shape) as (keyof typeof scheduleFields.shape)[]).filter(
    (name): name is PlainControl => !OTHERS.some((other) => other === name),
  ),
  ...GROUP_CONTROLS,
];

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
export interface ShownSchedule extends Omit<ScheduleRule, 'startDate' | 'endDate'>, ScheduleDetails {
  name: string;
  startDate: string;
  endDate: string | null;
  compoundId: string | null;
  /** The blend it is drawn from, if any. */
  blend?: Blend | null | undefined;
  reminderLeadMinutes: number;
}

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));

/** What is at a control's name in a schedule or in a sent form. */
export function valueAt(of: unknown, name: string): unknown {
  let value = of;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part];
  return value;
}

/** The initial values of the form for a schedule. */
export function valuesOf(schedule: ShownSchedule): ScheduleValues {
  const { frequency, ramp } = schedule;
  const groups = GROUP_CONTROLS.map((name) => [name, text(valueAt(schedule, name))]);
  return {
    single: {
      ...Object.fromEntries(groups),
      ...({
        ...controlTexts(scheduleDetailsOf(schedule)),
        name: schedule.name,
        compoundId: text(schedule.compoundId),
        endsWithVial: schedule.endsWithVial === true ? 'true' : '',
        doseOf: text(schedule.blend?.doseOf),
        doseAmount: ramp === null ? schedule.doseAmount : '',
        doseUnit: schedule.doseUnit,
        firstDueAt: schedule.firstDueAt ? momentField(schedule.firstDueAt, schedule.timeZone) : '',
        timeZone: schedule.timeZone,
        startDate: schedule.startDate,
        endDate: text(schedule.endDate),
        reminderLeadMinutes: text(schedule.reminderLeadMinutes),
      } satisfies Record<Exclude<PlainControl, 'saveKey'>, string>),
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

/** The values of a sent form, to show it again. */
export function sentValues(sent: Record<string, unknown> | null | undefined): ScheduleValues {
  const lists = LIST_CONTROLS.map((name) => {
    const texts = [valueAt(sent, name) ?? []].flat().slice(0, MAX_LISTED).map(String);
    return [name, texts.filter((one) => one !== '')];
  });
  return {
    single: Object.fromEntries(SINGLE_CONTROLS.map((name) => [name, String(valueAt(sent, name) ?? '')])),
    lists: Object.fromEntries(lists) as ScheduleValues['lists'],
  };
}
