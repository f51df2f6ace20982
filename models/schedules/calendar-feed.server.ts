import { Schema, type InferSchemaType, trusted, type Connection } from 'mongoose';
import { FEED_PRIVACY, type FeedPrivacy } from '#app/domain/schedules/calendar-events.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `calendar_feeds`, keyed by the hash of the secret in its address. */
const calendarFeedSchema = new Schema(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    privacy: { type: String, enum: FEED_PRIVACY, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'calendar_feeds' },
);

type CalendarFeedRow = InferSchemaType<typeof calendarFeedSchema>;

calendarFeedSchema.index({ userId: 1 });

/** A calendar feed; `hash` is the hash of its secret. */
export interface CalendarFeedRecord extends Omit<CalendarFeedRow, '_id'> {
  hash: string;
}

function toRecord({ _id, ...rest }: CalendarFeedRow): CalendarFeedRecord {
  return { hash: _id, ...rest };
}

/** Calendar feeds, at most one for each account. */
export function createCalendarFeedRepository(connection: Connection) {
  const model = modelOf<CalendarFeedRow>(connection, 'CalendarFeed', calendarFeedSchema);
  return {
    /** Stores a feed and removes its owner's others. */
    async replace({ hash, userId, ...rest }: CalendarFeedRecord): Promise<void> {
      await model.create({ _id: hash, userId, ...rest });
      await model.deleteMany({ userId, _id: trusted({ $ne: hash }) });
    },

    async findOf(userId: string): Promise<CalendarFeedRecord | null> {
      const row = await model.findOne({ userId }).sort({ createdAt: -1 }).lean();
      return row === null ? null : toRecord(row);
    },

    /** Finds a feed by the hash of its secret. */
    async findByHash(hash: string): Promise<CalendarFeedRecord | null> {
      const row = await model.findById(hash).lean();
      return row === null ? null : toRecord(row);
    },

    /** @returns whether there is one */
    async setPrivacy(userId: string, privacy: FeedPrivacy): Promise<boolean> {
      return (await model.updateOne({ userId }, { $set: { privacy } })).matchedCount === 1;
    },

    async delete(userId: string): Promise<void> {
      await model.deleteMany({ userId });
    },
  };
}
