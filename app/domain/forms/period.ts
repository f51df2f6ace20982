import * as z from 'zod';
import { daysBetween } from '#app/domain/time/zoned-time.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';

/** Longest period of a report: five years including leap days. */
export const MAX_PERIOD_DAYS = 5 * 366;

export const PERIOD_MESSAGES = {
  day: 'Enter a date as YYYY-MM-DD',
  order: 'The end date must not be before the start date',
  long: 'Choose a period of at most 5 years',
} as const;

const day = z
  .string({ error: PERIOD_MESSAGES.day })
  .trim()
  .refine(isCalendarDay, { error: PERIOD_MESSAGES.day });

/** The two days of a period, for operations with further fields. */
export const periodFields = { start: day, end: day };

/** The rules between the two days. */
export function periodRules({ start, end }: { start: string; end: string }, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['end'], message });
  if (end < start) refuse(PERIOD_MESSAGES.order);
  else if (daysBetween(start, end) > MAX_PERIOD_DAYS) refuse(PERIOD_MESSAGES.long);
}

/** The days of a report, both included. */
export const periodSchema = z.object(periodFields).superRefine(periodRules);

export type PeriodInput = z.input<typeof periodSchema>;
export type Period = z.output<typeof periodSchema>;
