import { trusted, type Connection, type Model } from 'mongoose';
import { insertNew } from './insert-missing.server.ts';
import { modelOf } from './model-of.server.ts';
import { reminderSchema, type ReminderRow } from './reminder.model.server.ts';

/** A reminder. */
export interface ReminderRecord extends Omit<ReminderRow, '_id' | 'userId' | 'expiresAt'> {
  id: string;
}

/** A page of reminders. */
export interface ReminderSelection {
  unreadOnly: boolean;
  skip: number;
  limit: number;
}

function toRecord({ _id, userId: _owner, expiresAt: _end, ...rest }: ReminderRow): ReminderRecord {
  return { id: _id, ...rest };
}

/** Which reminder of whom. */
export interface OwnedReminder {
  userId: string;
  id: string;
}

async function markSent(model: Model<ReminderRow>, reminders: readonly OwnedReminder[]): Promise<void> {
  if (reminders.length === 0) return;
  const update = { $set: { isSent: true } };
  await model.bulkWrite(
    reminders.map(({ userId, id }) => ({ updateOne: { filter: { userId, _id: id }, update } })),
    { ordered: false },
  );
}

const NEWEST_FIRST = { reminderTime: -1, _id: -1 } as const;

/** Reminders, always of one owner but where the worker makes them. */
export function createReminderRepository(connection: Connection) {
  const model = modelOf<ReminderRow>(connection, 'Reminder', reminderSchema);
  const unread = (userId: string) => ({ userId, isRead: false });
  const chosen = (userId: string, unreadOnly: boolean) => (unreadOnly ? unread(userId) : { userId });
  return {
    /** Adds those that are not there yet. */
    insertNew: (rows: readonly ReminderRow[]) => insertNew(model, rows),

    /** The newest first. */
    async list(userId: string, { unreadOnly, skip, limit }: ReminderSelection): Promise<ReminderRecord[]> {
      const query = model.find(chosen(userId, unreadOnly)).sort(NEWEST_FIRST);
      return (await query.skip(skip).limit(limit).lean()).map(toRecord);
    },

    /** @param most counting stops there */
    async count(userId: string, unreadOnly: boolean, most?: number): Promise<number> {
      return model.countDocuments(chosen(userId, unreadOnly), most === undefined ? {} : { limit: most });
    },

    async findOne(userId: string, id: string): Promise<ReminderRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : toRecord(row);
    },

    /** @returns the reminder, or null when there is none */
    async markRead(userId: string, id: string): Promise<ReminderRecord | null> {
      const change = { $set: { isRead: true } };
      const row = await model
        .findOneAndUpdate({ userId, _id: id }, change, { returnDocument: 'after' })
        .lean();
      return row === null ? null : toRecord(row);
    },

    /** @returns how many were unread */
    async markAllRead(userId: string): Promise<number> {
      return (await model.updateMany(unread(userId), { $set: { isRead: true } })).modifiedCount;
    },

    /** Something was done about a dose: there is nothing to remind of. */
    async markDoseRead(userId: string, doseId: string): Promise<void> {
      await model.updateMany({ userId, doseId, isRead: false }, { $set: { isRead: true } });
    },

    /** These have gone out. */
    markSent: (reminders: readonly OwnedReminder[]) => markSent(model, reminders),

    /** Due and overdue ones that are unread and that no page has shown yet, the oldest first. */
    async listUnshown(userId: string, from: Date, now: Date, limit: number): Promise<ReminderRecord[]> {
      const rows = await model
        .find({
          ...unread(userId),
          reminderTime: trusted({ $gte: from, $lte: now }),
          type: trusted({ $in: ['due', 'overdue'] }),
          isQuiet: false,
          shownAt: null,
        })
        .sort({ reminderTime: 1, _id: 1 })
        .limit(limit)
        .lean();
      return rows.map(toRecord);
    },

    /** A page has shown these. */
    async markShown(userId: string, ids: readonly string[], at: Date): Promise<void> {
      await model.updateMany(
        { userId, _id: trusted({ $in: [...ids] }), shownAt: null },
        { $set: { shownAt: at, isSent: true } },
      );
    },
  };
}

export type ReminderRepository = ReturnType<typeof createReminderRepository>;
