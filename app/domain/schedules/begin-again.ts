import * as z from 'zod';
import { saveKeyField } from '#app/domain/forms/fields.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { ScheduleRule } from './schedule-rule.ts';
import {
  calendarDayField,
  confirmPlanSchema,
  firstDueField,
  SCHEDULE_MESSAGES,
  unlessBlank,
} from './schedule-schema.ts';

/** Whether a schedule is over: its last day has passed, its one dose has, or the vial with which it ends is used up. */
export function hasEnded(
  { frequency, startDate, endDate, timeZone, stopsAt }: ScheduleRule,
  now: Date,
): boolean {
  const last = frequency.kind === 'once' ? startDate : endDate;
  const isPast = last !== null && last < calendarDay(now, timeZone);
  return isPast || (stopsAt ? stopsAt <= now : false);
}

/** Whether a schedule can begin again: one that is over, or that its owner paused. */
export const canBeginAgain = (schedule: ScheduleRule & { readonly isActive: boolean }, now: Date): boolean =>
  !schedule.isActive || hasEnded(schedule, now);

export const AGAIN_MESSAGES = {
  created: 'The schedule begins again',
  running: 'This schedule is still running. Pause it first, or wait until it ends.',
} as const;

/** When a schedule that has ended begins again. */
export const beginAgainSchema = z.object({
  startDate: unlessBlank(calendarDayField(SCHEDULE_MESSAGES.startDate)),
  firstDueAt: unlessBlank(firstDueField),
  saveKey: saveKeyField,
  ...confirmPlanSchema.shape,
});

export type BeginAgainInput = z.input<typeof beginAgainSchema>;
