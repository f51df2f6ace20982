import * as z from 'zod';
import { FEED_PRIVACY } from './calendar-events.ts';

export const FEED_MESSAGES = {
  privacy: 'Choose how much the calendar shows',
  changed: 'The calendar shows that much from its next look on',
  off: 'The calendar feed is off. Its link no longer works.',
  none: 'There is no calendar feed.',
} as const;

/** What the form of the feed asks for: a new link, or how much the one that is there shows. */
export const calendarFeedSchema = z.object({
  intent: z.enum(['link', 'privacy']).default('link'),
  privacy: z.enum(FEED_PRIVACY, { error: FEED_MESSAGES.privacy }),
});

export type CalendarFeedInput = z.input<typeof calendarFeedSchema>;
