import { Schema, trusted, type Connection, type Model } from 'mongoose';
import { REMINDER_TYPES, type ReminderType } from '#app/domain/reminders/reminder-stages.ts';
import { insertMissing } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { readPart } from '../store/queries.server.ts';
import type { ListPart } from '../store/owned-rows.server.ts';
import {
  indexOutbox,
  OUTBOX_FIELDS,
  outboxOf,
  outboxRecordOf,
  type OutboxRecord,
  type OutboxResult,
  type OutboxRow,
} from '../store/outbox.server.ts';

/** A document of `reminders`: an entry in the list under the bell icon. */
export interface ReminderRow {
  /** Derived from its subject, so that two workers create one reminder. */
  _id: string;
  userId: string;
  /** The first of its doses; null if it is not about a dose. */
  doseId: string | null;
  /** The doses of a time slot, in the order they are due. Absent in reminders of before, which had one dose. */
  doseIds?: readonly string[];
  /** Those of them that are not logged. */
  openIds?: readonly string[];
  /** When the stage that it announces was planned. Only a later one replaces it. */
  stepAt?: Date | null;
  type: ReminderType;
  message: string;
  /** The same without names and amounts. */
  discreetMessage: string;
  /** When it was made, or changed for the last time. */
  reminderTime: Date;
  isRead: boolean;
  /** It was sent over a channel other than the bell. */
  isSent: boolean;
  /** It was created too late to notify anyone. */
  isQuiet: boolean;
  /** When an open page showed it as a browser notification. */
  shownAt: Date | null;
  /** When it is deleted. */
  expiresAt: Date;
}

const flag = { type: Boolean, default: false } as const;

const reminderSchema = new Schema<ReminderRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    doseId: { type: String, default: null },
    doseIds: { type: [String], default: undefined },
    openIds: { type: [String], default: undefined },
    stepAt: Date,
    type: { type: String, enum: REMINDER_TYPES, required: true },
    message: { type: String, required: true },
    discreetMessage: { type: String, required: true },
    reminderTime: { type: Date, required: true },
    isRead: flag,
    isSent: flag,
    isQuiet: flag,
    shownAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'reminders' },
);

reminderSchema.index({ userId: 1, reminderTime: -1, _id: -1 });
reminderSchema.index({ userId: 1, isRead: 1, reminderTime: -1, _id: -1 });
reminderSchema.index({ userId: 1, doseId: 1 });
reminderSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export interface ReminderRecord extends Omit<
  ReminderRow,
  '_id' | 'userId' | 'expiresAt' | 'openIds' | 'stepAt' | 'doseIds'
> {
  id: string;
  /** All doses that it is about; empty when it is not about one. */
  doseIds: string[];
}

/** A page of reminders. */
interface ReminderSelection extends ListPart {
  unreadOnly: boolean;
}

function toRecord(row: ReminderRow): ReminderRecord {
  const { _id, userId: _owner, expiresAt: _end, openIds: _open, stepAt: _step, doseIds, ...rest } = row;
  return { id: _id, ...rest, doseIds: [...(doseIds ?? (rest.doseId === null ? [] : [rest.doseId]))] };
}

/** Lets rows that announce an earlier stage announce these instead, as new. */
async function announceAgain(model: Model<ReminderRow>, rows: readonly ReminderRow[]): Promise<void> {
  if (rows.length === 0) return;
  await model.bulkWrite(
    rows.map(({ _id, userId, ...changes }) => ({
      updateOne: {
        filter: { userId, _id, stepAt: trusted({ $lt: changes.stepAt ?? changes.reminderTime }) },
        update: { $set: changes },
      },
    })),
    { ordered: false },
  );
}

interface OwnedReminder {
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

/** Reminders. Every call names the owner, except those with which the worker creates them. */
export function createReminderRepository(connection: Connection) {
  const model = modelOf<ReminderRow>(connection, 'Reminder', reminderSchema);
  const unread = (userId: string) => ({ userId, isRead: false });
  const chosen = (userId: string, unreadOnly: boolean) => (unreadOnly ? unread(userId) : { userId });
  return {
    /** Adds reminders that do not exist yet. */
    createMissing: (rows: readonly ReminderRow[]) => insertMissing(model, rows),

    /** Adds the reminders of time slots, or changes those that announce an earlier stage of the slot. */
    async announce(rows: readonly ReminderRow[]): Promise<void> {
      if (!(await insertMissing(model, rows))) await announceAgain(model, rows);
    },

    /** Newest first. */
    async list(userId: string, { unreadOnly, ...part }: ReminderSelection): Promise<ReminderRecord[]> {
      const rows = await readPart(model, chosen(userId, unreadOnly), { sort: NEWEST_FIRST, ...part });
      return rows.map(toRecord);
    },

    /** @param most stops counting at this number */
    async count(userId: string, unreadOnly: boolean, most?: number): Promise<number> {
      return model.countDocuments(chosen(userId, unreadOnly), most === undefined ? {} : { limit: most });
    },

    async find(userId: string, id: string): Promise<ReminderRecord | null> {
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

    /** Marks the reminders of a dose as read when neither it nor another of their doses needs them any longer. */
    async markDoseRead(userId: string, doseId: string): Promise<void> {
      const rows = await model.find({ userId, doseIds: doseId, isRead: false }, { openIds: 1 }).lean();
      for (const { _id, openIds = [] } of rows) {
        const left = openIds.filter((id) => id !== doseId);
        await model.updateOne({ userId, _id }, { $set: { openIds: left, isRead: left.length === 0 } });
      }
      const alone = { userId, doseId, doseIds: trusted({ $exists: false }), isRead: false };
      await model.updateMany(alone, { $set: { isRead: true } });
    },

    /** Marks reminders as sent. */
    markSent: (reminders: readonly OwnedReminder[]) => markSent(model, reminders),

    /** Unread due and overdue reminders that no page has shown yet, oldest first. */
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

    /** Marks reminders as shown by a page. */
    async markShown(userId: string, ids: readonly string[], at: Date): Promise<void> {
      await model.updateMany(
        { userId, _id: trusted({ $in: [...ids] }), shownAt: null },
        { $set: { shownAt: at, isSent: true } },
      );
    },
  };
}

const DELIVERY_CHANNELS = ['push', 'email', 'ntfy'] as const;
type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** A document of `deliveries`: one reminder being sent over one channel to one receiver. */
export interface DeliveryRow extends OutboxRow {
  reminderId: string;
  doseId: string | null;
  /** All doses of the reminder; absent in deliveries of before. */
  doseIds?: readonly string[];
  channel: DeliveryChannel;
  /** The browser, for a push. */
  subscriptionId: string | null;
  type: ReminderType;
  /** Replaces the type's default title. */
  title?: string | null;
  /** The text; in discreet mode, already without names. */
  message: string;
  isDiscreet: boolean;
  /** It is sent only if no push of its stage was shown before `nextAt`. */
  isEscalation?: boolean;
  /** When the browser confirmed that it showed a push. */
  shownAt?: Date | null;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;

const deliverySchema = new Schema<DeliveryRow>(
  {
    _id: text,
    ...OUTBOX_FIELDS,
    reminderId: text,
    doseId: optionalText,
    doseIds: { type: [String], default: undefined },
    channel: { type: String, enum: DELIVERY_CHANNELS, required: true },
    subscriptionId: optionalText,
    type: { type: String, enum: REMINDER_TYPES, required: true },
    title: optionalText,
    message: text,
    isDiscreet: { type: Boolean, required: true },
    isEscalation: Boolean,
    shownAt: Date,
  },
  { collection: 'deliveries' },
);

deliverySchema.index({ userId: 1, reminderId: 1 });
indexOutbox(deliverySchema);

/** A delivery that a worker has claimed. */
export type DeliveryRecord = OutboxRecord<DeliveryRow>;

/** The outcome of a delivery attempt; with `nextAt`, it is tried again. */
export type DeliveryResult = OutboxResult;

/** The outbox of reminders. */
export function createDeliveryRepository(connection: Connection) {
  const model = modelOf<DeliveryRow>(connection, 'Delivery', deliverySchema);
  return {
    ...outboxOf<DeliveryRow>(model),

    /** Notes that a browser has shown a push. */
    async markShown(userId: string, id: string, at: Date): Promise<void> {
      await model.updateOne({ userId, _id: id }, { $set: { shownAt: at } });
    },

    /** Deliveries of an owner's reminder, of all its stages. */
    async list(userId: string, reminderId: string): Promise<DeliveryRecord[]> {
      return (await model.find({ userId, reminderId }).sort({ _id: 1 }).lean<DeliveryRow[]>()).map(
        outboxRecordOf,
      );
    },
  };
}
