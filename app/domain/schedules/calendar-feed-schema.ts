import * as z from 'zod';
import { FEED_PRIVACY } from './calendar-events.ts';

export const FEED_MESSAGES = {
  privacy: 'Choose how much the calendar shows',
  changed: 'Saved. Your calendar app shows this the next time it updates.',
  off: 'The calendar link is off and no longer works.',
  none: 'There is no calendar link.',
} as const;

const privacy = z.enum(FEED_PRIVACY, { error: FEED_MESSAGES.privacy });

/** The feed's form: creates a new link, or changes what the existing one shows. */
export const calendarFeedSchema = z.object({
  intent: z.enum(['link', 'change']).default('link'),
  privacy,
  alarms: z.boolean().default(false),
});

export type CalendarFeedInput = z.input<typeof calendarFeedSchema>;

/** What a program sends: fields that are not sent stay the same. */
export const calendarFeedCallSchema = z.object({
  privacy: privacy.optional().describe('Names and amounts, names (the default), or only “Busy”'),
  alarms: z.boolean().optional().describe('Pending doses have an alarm, as early as their reminder'),
  newLink: z.boolean().default(false).describe('Replace the address, which stops working'),
});

export type CalendarFeedCall = z.input<typeof calendarFeedCallSchema>;
