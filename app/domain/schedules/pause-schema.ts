import * as z from 'zod';
import { dayNumber } from '#app/domain/time/calendar.ts';
import { calendarDayField } from './schedule-schema.ts';
import { MAX_PAUSE_DAYS, PAUSE_MESSAGES } from './plan-changes.ts';

/** A pause with dates, as pages, the API and the terminal send it. */
export const pauseSchema = z
  .object({
    firstDay: calendarDayField(PAUSE_MESSAGES.firstDay),
    lastDay: calendarDayField(PAUSE_MESSAGES.lastDay),
  })
  .superRefine(({ firstDay, lastDay }, context) => {
    const report = (message: string) => context.addIssue({ code: 'custom', path: ['lastDay'], message });
    if (lastDay < firstDay) report(PAUSE_MESSAGES.order);
    else if (dayNumber(lastDay) - dayNumber(firstDay) >= MAX_PAUSE_DAYS) report(PAUSE_MESSAGES.tooLong);
  });

/** The forms of the pauses' page. `pause` is the first day of the pause that is ended or changed; empty for a new one. */
export const pauseFormSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('end'), pause: z.string().default('') }),
  pauseSchema.safeExtend({ intent: z.literal('save').optional(), pause: z.string().default('') }),
]);

export type PauseInput = z.input<typeof pauseSchema>;
