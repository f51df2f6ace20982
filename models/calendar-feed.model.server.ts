import { Schema } from 'mongoose';
import { FEED_PRIVACY, type FeedPrivacy } from '#app/domain/schedules/calendar-events.ts';

/** A document of `calendar_feeds`, keyed by the hash of the secret in its address. */
export interface CalendarFeedRow {
  _id: string;
  userId: string;
  privacy: FeedPrivacy;
  createdAt: Date;
}

export const calendarFeedSchema = new Schema<CalendarFeedRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    privacy: { type: String, enum: FEED_PRIVACY, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'calendar_feeds' },
);

calendarFeedSchema.index({ userId: 1 });
