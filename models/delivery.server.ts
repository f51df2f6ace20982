import { Schema, trusted, type Connection } from 'mongoose';
import { REMINDER_TYPES, type ReminderType } from '#app/domain/reminders/reminder-constants.ts';
import { claimBatch } from './work-queue.server.ts';
import { insertMissing } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

const DELIVERY_CHANNELS = ['push', 'email'] as const;
type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** `waiting` until one of the others: sent, not worth sending any more, or given up. */
const DELIVERY_STATES = ['waiting', 'sent', 'dropped', 'failed'] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A document of `deliveries`: one reminder on its way over one channel to one receiver. */
export interface DeliveryRow {
  /** Follows from reminder, channel and receiver; what is sent again is sent under it. */
  _id: string;
  userId: string;
  reminderId: string;
  doseId: string | null;
  channel: DeliveryChannel;
  /** The browser, for a push. */
  subscriptionId: string | null;
  type: ReminderType;
  /** The text, already without names for those who chose discreet mode. */
  message: string;
  isDiscreet: boolean;
  madeAt: Date;
  state: DeliveryState;
  /** When it is tried next; while a worker has claimed it, when that lease ends. Null when it is done. */
  nextAt: Date | null;
  /** The worker that has claimed it. */
  claim: string | null;
  attempts: number;
  sentAt: Date | null;
  /** Why it was not sent; contains no personal data. */
  reason: string | null;
  /** When it is deleted. */
  expiresAt: Date;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalDate = { type: Date, default: null } as const;

const deliverySchema = new Schema<DeliveryRow>(
  {
    _id: text,
    userId: text,
    reminderId: text,
    doseId: optionalText,
    channel: { type: String, enum: DELIVERY_CHANNELS, required: true },
    subscriptionId: optionalText,
    type: { type: String, enum: REMINDER_TYPES, required: true },
    message: text,
    isDiscreet: { type: Boolean, required: true },
    madeAt: { type: Date, required: true },
    state: { type: String, enum: DELIVERY_STATES, default: 'waiting' },
    nextAt: optionalDate,
    claim: optionalText,
    attempts: { type: Number, default: 0 },
    sentAt: optionalDate,
    reason: optionalText,
    expiresAt: { type: Date, required: true },
  },
  { collection: 'deliveries' },
);

deliverySchema.index({ userId: 1, reminderId: 1 });
deliverySchema.index({ nextAt: 1 });
deliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A delivery that a worker has claimed. */
export interface DeliveryRecord extends Omit<DeliveryRow, '_id'> {
  id: string;
}

/** How a delivery went; a `nextAt` means that it is tried again. */
export interface DeliveryResult {
  state: DeliveryState;
  nextAt: Date | null;
  sentAt: Date | null;
  reason: string | null;
}

function toRecord({ _id, ...rest }: DeliveryRow): DeliveryRecord {
  return { id: _id, ...rest };
}

/** The outbox of reminders. */
export function createDeliveryRepository(connection: Connection) {
  const model = modelOf<DeliveryRow>(connection, 'Delivery', deliverySchema);
  return {
    /** Adds those that do not exist yet. */
    createMissing: (rows: readonly DeliveryRow[]) => insertMissing(model, rows),

    /** Claims due deliveries until an instant. */
    async claim(now: Date, until: Date, mark: string, size: number): Promise<DeliveryRecord[]> {
      const rows = await claimBatch(model, {
        free: { nextAt: trusted({ $lte: now }) },
        sort: { nextAt: 1 },
        take: { $set: { claim: mark, nextAt: until }, $inc: { attempts: 1 } },
        taken: { claim: mark },
        size,
      });
      return rows.map(toRecord);
    },

    /** Records outcomes, except for deliveries that another worker has claimed meanwhile. */
    async finish(entries: readonly { delivery: DeliveryRecord; result: DeliveryResult }[]): Promise<void> {
      if (entries.length === 0) return;
      await model.bulkWrite(
        entries.map(({ delivery: { id, userId, claim }, result }) => ({
          updateOne: { filter: { userId, _id: id, claim }, update: { $set: { ...result, claim: null } } },
        })),
        { ordered: false },
      );
    },

    /** Releases a delivery that was not tried. */
    async release({ id, userId, claim }: DeliveryRecord, now: Date): Promise<void> {
      const change = { $set: { claim: null, nextAt: now }, $inc: { attempts: -1 } };
      await model.updateOne({ userId, _id: id, claim }, change);
    },

    /** Deliveries of an owner's reminder, for those who look after the server and for tests. */
    async list(userId: string, reminderId: string): Promise<DeliveryRecord[]> {
      return (await model.find({ userId, reminderId }).sort({ _id: 1 }).lean()).map(toRecord);
    },

    /** How many deliveries are waiting, and since when the oldest. */
    async backlog(now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
      const due = { nextAt: trusted({ $lte: now }) };
      const waiting = await model.countDocuments(due);
      const first = await model.findOne(due, { madeAt: 1 }).sort({ nextAt: 1 }).lean();
      return { waiting, oldestAt: first?.madeAt ?? null };
    },
  };
}
