import * as z from 'zod';
import { FEED_PRIVACY } from './calendar-events.ts';

export const FEED_MESSAGES = {
  privacy: 'Choose how much the calendar shows',
  changed: 'Saved. Your calendar app shows this the next time it updates.',
  off: 'The calendar link is off and no longer works.',
  none: 'There is no calendar link.',
} as const;

/** The feed's form: creates a new link, or changes how much the existing one shows. */
export const calendarFeedSchema = z.object({
  intent: z.enum(['link', 'privacy']).default('link'),
  privacy: z.enum(FEED_PRIVACY, { error: FEED_MESSAGES.privacy }),
});

export type CalendarFeedInput = z.input<typeof calendarFeedSchema>;
