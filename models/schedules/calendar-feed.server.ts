import { Schema, type InferSchemaType, trusted, type Connection } from 'mongoose';
import { FEED_PRIVACY } from '#app/domain/schedules/calendar-events.ts';
import { modelOf } from '../store/model-of.server.ts';
import { secretOwners } from '../store/secret-owners.server.ts';

/** A document of `calendar_feeds`, keyed by the hash of the secret in its address. */
const calendarFeedSchema = new Schema(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    privacy: { type: String, enum: FEED_PRIVACY, required: true },
    alarms: { type: Boolean, default: false },
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

/** Feeds that were made before they could have alarms have none. */
function toRecord({ _id, ...rest }: CalendarFeedRow): CalendarFeedRecord {
  return { ...rest, hash: _id, alarms: rest.alarms ?? false };
}

/** Calendar feeds, at most one for each account. */
export function createCalendarFeedRepository(connection: Connection) {
  const model = modelOf<CalendarFeedRow>(connection, 'CalendarFeed', calendarFeedSchema);
  const owners = secretOwners(connection);

  /** Removes the owner's feeds but one. */
  async function remove(userId: string, keep: string | null): Promise<void> {
    const rows = await model.find({ userId }, { _id: 1 }).lean();
    const hashes = rows.map(({ _id }) => _id).filter((hash) => hash !== keep);
    await model.deleteMany({ userId, _id: trusted({ $in: hashes }) });
    await owners.delete(hashes);
  }

  return {
    /** Stores a feed and removes its owner's others. */
    async replace({ hash, userId, ...rest }: CalendarFeedRecord): Promise<void> {
      await owners.put(hash, userId);
      await model.create({ _id: hash, userId, ...rest });
      await remove(userId, hash);
    },

    async findOf(userId: string): Promise<CalendarFeedRecord | null> {
      const row = await model.findOne({ userId }).sort({ createdAt: -1 }).lean();
      return row === null ? null : toRecord(row);
    },

    /** Finds a feed by the hash of its secret. */
    async findByHash(hash: string): Promise<CalendarFeedRecord | null> {
      const row = await owners.findRow<CalendarFeedRow>(model, hash);
      return row === null ? null : toRecord(row);
    },

    /** @returns the feed afterwards; null if there is none */
    async change(
      userId: string,
      fields: Partial<Pick<CalendarFeedRow, 'privacy' | 'alarms'>>,
    ): Promise<CalendarFeedRecord | null> {
      const row = await model
        .findOneAndUpdate({ userId }, { $set: fields }, { returnDocument: 'after' })
        .lean<CalendarFeedRow>();
      return row === null ? null : toRecord(row);
    },

    delete: (userId: string): Promise<void> => remove(userId, null),
  };
}
