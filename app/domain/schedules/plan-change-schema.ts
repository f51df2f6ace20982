import * as z from 'zod';
import { momentField, idField, lineField, saveKeyField, yesField } from '#app/domain/forms/fields.ts';
import { MOVE_SCOPES, MOVE_MESSAGES, MAX_SWAPS, type ScheduleSwap } from './plan-changes.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { blendOf } from '#app/domain/vials/contents.ts';
import { componentsField } from '#app/domain/vials/components-field.ts';
import { componentsText } from '#app/domain/calculator/components.ts';
import { MAX_NAME_LENGTH } from '#app/domain/forms/text-fields.ts';
import {
  calendarDayField,
  confirmPlanSchema,
  doseField,
  SCHEDULE_MESSAGES,
  unlessBlank,
  firstDueField,
} from './schedule-schema.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { ScheduleRule } from './schedule-rule.ts';

/** Input for moving a dose: the new time, and whether all doses after it move by the same amount. */
export const moveDoseSchema = z.object({
  dueDate: momentField(MOVE_MESSAGES.dueDate),
  scope: z.enum(MOVE_SCOPES, { error: MOVE_MESSAGES.scope }).default('this'),
});

export type MoveDoseInput = z.input<typeof moveDoseSchema>;

export const SWAP_MESSAGES = {
  saved: 'Change saved',
  undone: 'Undone. The schedule continues as before.',
  fromDay: 'Enter the first day of the change as YYYY-MM-DD',
  past: 'Choose today or a later day',
  nothing: 'Choose another vial, or enter another name or dose',
  otherName: (name: string) => `This vial holds ${name}. Choose a vial of the compound you entered.`,
  tooMany: 'A schedule can have at most 50 changes of its compound, vial or dose',
  notFound: 'This change no longer exists.',
} as const;

/** Another compound, vial or dose from a day on. Fields left out stay unchanged. */
export const swapSchema = z.object({
  fromDay: calendarDayField(SWAP_MESSAGES.fromDay),
  name: unlessBlank(lineField(SCHEDULE_MESSAGES.name, MAX_NAME_LENGTH)),
  compoundId: unlessBlank(idField(SCHEDULE_MESSAGES.compoundId)),
  doseAmount: unlessBlank(doseField(SCHEDULE_MESSAGES.doseAmount)),
  ...confirmPlanSchema.shape,
});

/** Whether a program only asks what a change would do. */
export const previewSchema = z.object({
  preview: z.boolean({ error: 'preview must be true or false' }).optional(),
});

export type SwapInput = z.input<typeof swapSchema>;

const typed = z.string().default('');

/** The forms of the page for a swap: its fields as typed, which the operation checks, or the id of the swap to undo. */
export const swapFormSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('undo'), swap: typed }),
  z.object({
    intent: z.literal('save').optional(),
    fromDay: typed,
    name: typed,
    compoundId: typed,
    doseAmount: typed,
    confirm: yesField,
  }),
]);

/** A swap as it appears in an export. */
export type ExportedSwap = Pick<ScheduleSwap, 'fromDay' | 'name' | 'compoundId' | 'blend' | 'doseAmount'>;

/** Swaps as they appear in an export: a JSON list, or '' if there are none. */
export function swapsCell(swaps: readonly ScheduleSwap[] | null | undefined): string {
  const list = (swaps ?? []).map(({ fromDay, name, compoundId, blend, doseAmount }) => ({
    fromDay,
    name,
    compoundId,
    doseAmount,
    ...(blend && { components: componentsText(blend.components), doseOf: blend.doseOf }),
  }));
  return list.length === 0 ? '' : JSON.stringify(list);
}

const exportedSwaps = z
  .array(
    z.object({
      fromDay: z.string().refine(isCalendarDay),
      name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
      compoundId: z.string().max(100).nullable(),
      doseAmount: z
        .string()
        .regex(/^\d{1,6}(\.\d{1,20})?$/)
        .refine((text) => /[1-9]/.test(text))
        .nullable(),
      components: componentsField,
      doseOf: z.string().max(MAX_NAME_LENGTH).optional(),
    }),
  )
  .max(MAX_SWAPS)
  .refine((swaps) => new Set(swaps.map(({ fromDay }) => fromDay)).size === swaps.length);

/** Reads what `swapsCell` wrote. @returns null for anything else */
export function readSwaps(text: string): ExportedSwap[] | null {
  if (text === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = exportedSwaps.safeParse(value);
  if (!read.success) return null;
  const swaps = read.data.map(({ components, doseOf, ...swap }) => {
    const blend = blendOf({ components }, { doseOf, name: swap.name });
    return { ...swap, ...(blend && { blend }) };
  });
  return swaps.sort((a, b) => (a.fromDay < b.fromDay ? -1 : 1));
}

/** Whether a schedule is over: its last day or only dose has passed, or the vial it ends with is used up. */
export function hasEnded(
  { frequency, startDate, endDate, timeZone, stopsAt }: ScheduleRule,
  now: Date,
): boolean {
  const last = frequency.kind === 'once' ? startDate : endDate;
  const isPast = last !== null && last < calendarDay(now, timeZone);
  return isPast || (stopsAt ? stopsAt <= now : false);
}

/** Whether a schedule can be started again: it has ended, or its owner paused it. */
export const canBeginAgain = (schedule: ScheduleRule & { readonly isActive: boolean }, now: Date): boolean =>
  !schedule.isActive || hasEnded(schedule, now);

/** The travel form: one choice per schedule, by its id. */
export const travelFormSchema = z.object({
  choice: z
    .record(z.string(), z.enum(['keep', 'follow']))
    .default({})
    .catch({}),
});

export const AGAIN_MESSAGES = {
  created: 'Schedule started again',
  running: 'This schedule is still running. Pause it first, or wait until it ends.',
} as const;

/** Input for starting an ended schedule again. */
export const beginAgainSchema = z.object({
  startDate: unlessBlank(calendarDayField(SCHEDULE_MESSAGES.startDate)),
  firstDueAt: unlessBlank(firstDueField),
  saveKey: saveKeyField,
  ...confirmPlanSchema.shape,
});

/** The form of the page for starting again. */
export const againFormSchema = beginAgainSchema.extend({ confirm: yesField });

export type BeginAgainInput = z.input<typeof beginAgainSchema>;
