import { Schema, type Connection, trusted } from 'mongoose';
import {
  WEBHOOK_EVENTS,
  type WebhookEvent,
  WEBHOOK_TYPES,
  type WebhookType,
} from '#app/domain/webhooks/webhook.ts';
import { insertUnlessTaken, removeInBatches } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import {
  indexOutbox,
  OUTBOX_FIELDS,
  outboxOf,
  outboxRecordOf,
  type OutboxRecord,
  type OutboxResult,
  type OutboxRow,
} from '../store/outbox.server.ts';

/** A document of `webhooks`: an address that receives its owner's events. */
interface WebhookRow {
  _id: string;
  userId: string;
  /** Which of the owner's places it takes; unique, which enforces the limit. */
  place: number;
  url: string;
  events: WebhookEvent[];
  /** The key its messages are signed with, sealed. */
  secret: string;
  /** The one before it, sealed; null without one. */
  oldSecret: string | null;
  /** Until when messages are signed with that one, too. */
  oldSecretUntil: Date | null;
  createdAt: Date;
  /** Since when deliveries have been failing; null while they succeed, or none has been given up yet. */
  failingSince: Date | null;
}

const text = { type: String, required: true } as const;

const webhookSchema = new Schema<WebhookRow>(
  {
    _id: text,
    userId: text,
    place: { type: Number, required: true },
    url: text,
    events: { type: [{ type: String, enum: WEBHOOK_EVENTS }], required: true },
    secret: text,
    oldSecret: { type: String, default: null },
    oldSecretUntil: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    failingSince: { type: Date, default: null },
  },
  { collection: 'webhooks' },
);

webhookSchema.index({ userId: 1, place: 1 }, { unique: true });

/** An address that receives events. */
export type WebhookRecord = Omit<WebhookRow, '_id' | 'place'> & { id: string };

/** Webhooks that were added before they could have two secrets lack the old one. */
function toRecord({ _id, place: _place, ...rest }: WebhookRow): WebhookRecord {
  return { ...rest, id: _id, oldSecret: rest.oldSecret ?? null, oldSecretUntil: rest.oldSecretUntil ?? null };
}

/** Addresses that receive events. Each change is one atomic update. */
export function createWebhookRepository(connection: Connection) {
  const model = modelOf<WebhookRow>(connection, 'Webhook', webhookSchema);
  return {
    /** Stores a webhook in one of its owner's free places. @returns false when all are taken */
    async create({ id, ...rest }: WebhookRecord, places: number): Promise<boolean> {
      const taken = await model.find({ userId: rest.userId }, { place: 1 }).lean();
      for (let place = 0; place < places; place += 1) {
        if (taken.some((row) => row.place === place)) continue;
        if (await insertUnlessTaken(model, { _id: id, place, ...rest })) return true;
      }
      return false;
    },

    /** The oldest first. */
    async list(userId: string): Promise<WebhookRecord[]> {
      const rows = await model.find({ userId }).lean<WebhookRow[]>();
      return rows.map(toRecord).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    },

    async find(userId: string, id: string): Promise<WebhookRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean<WebhookRow>();
      return row === null ? null : toRecord(row);
    },

    /** @returns the webhook afterwards; null when it does not exist */
    async change(
      userId: string,
      id: string,
      fields: Partial<
        Pick<WebhookRow, 'url' | 'events' | 'secret' | 'oldSecret' | 'oldSecretUntil' | 'failingSince'>
      >,
    ): Promise<WebhookRecord | null> {
      const row = await model
        .findOneAndUpdate({ userId, _id: id }, { $set: fields }, { returnDocument: 'after' })
        .lean<WebhookRow>();
      return row === null ? null : toRecord(row);
    },

    /** Records since when deliveries have been failing, unless already recorded. */
    async noteFailing(userId: string, id: string, since: Date): Promise<void> {
      await model.updateOne({ userId, _id: id, failingSince: null }, { $set: { failingSince: since } });
    },

    /** @returns the removed webhook, or null */
    async delete(userId: string, id: string): Promise<WebhookRecord | null> {
      const row = await model.findOneAndDelete({ userId, _id: id }).lean<WebhookRow>();
      return row === null ? null : toRecord(row);
    },
  };
}

/** A document of `webhook_deliveries`: one event being sent to one webhook. */
export interface WebhookDeliveryRow extends OutboxRow {
  webhookId: string;
  /** The same for every webhook that receives it, and for every attempt. */
  eventId: string;
  type: WebhookType;
  /** The dose it is about, or null. */
  doseId: string | null;
  /** The body, the same for every attempt. */
  body: string;
  /** When to give up. */
  until: Date;
  triedAt: Date | null;
  /** The receiver's last HTTP status; null if it did not answer. */
  status: number | null;
}

const date = { type: Date, required: true } as const;

const webhookDeliverySchema = new Schema<WebhookDeliveryRow>(
  {
    _id: text,
    ...OUTBOX_FIELDS,
    webhookId: text,
    eventId: text,
    type: { type: String, enum: WEBHOOK_TYPES, required: true },
    doseId: { type: String, default: null },
    body: text,
    until: date,
    triedAt: { type: Date, default: null },
    status: { type: Number, default: null },
  },
  { collection: 'webhook_deliveries' },
);

webhookDeliverySchema.index({ userId: 1, webhookId: 1, madeAt: -1, _id: -1 });
indexOutbox(webhookDeliverySchema);

export type WebhookDeliveryRecord = OutboxRecord<WebhookDeliveryRow>;

/** The outcome of an attempt. */
export type WebhookDeliveryResult = OutboxResult & Pick<WebhookDeliveryRow, 'triedAt' | 'status'>;

/** The outbox of webhooks. */
export function createWebhookDeliveryRepository(connection: Connection) {
  const model = modelOf<WebhookDeliveryRow>(connection, 'WebhookDelivery', webhookDeliverySchema);
  return {
    ...outboxOf<WebhookDeliveryRow, WebhookDeliveryResult>(model),

    /** A webhook's deliveries, newest first. */
    async list(userId: string, webhookId: string, limit: number): Promise<WebhookDeliveryRecord[]> {
      const rows = await model
        .find({ userId, webhookId })
        .sort({ madeAt: -1, _id: -1 })
        .limit(limit)
        .lean<WebhookDeliveryRow[]>();
      return rows.map(outboxRecordOf);
    },

    async find(userId: string, id: string): Promise<WebhookDeliveryRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean<WebhookDeliveryRow>();
      return row === null ? null : outboxRecordOf(row);
    },

    /**
     * Claims one delivery, until an instant, to send it right away: one that is done, or waiting and unclaimed. Its attempts
     * start over.
     * @returns null when it is being sent at the moment
     */
    async claimAgain(
      userId: string,
      id: string,
      { now, leaseEnd, mark, until }: { now: Date; leaseEnd: Date; mark: string; until: Date },
    ): Promise<WebhookDeliveryRecord | null> {
      const free = {
        userId,
        _id: id,
        $or: [{ claim: null }, { nextAt: trusted({ $lte: now }) }],
      };
      const claimed = { claim: mark, nextAt: leaseEnd, state: 'waiting' as const, attempts: 1, until };
      const row = await model
        .findOneAndUpdate(free, { $set: claimed }, { returnDocument: 'after' })
        .lean<WebhookDeliveryRow>();
      return row === null ? null : outboxRecordOf(row);
    },

    /** Deletes the deliveries of a deleted webhook. */
    async deleteOf(userId: string, webhookId: string): Promise<void> {
      await removeInBatches(model, { userId, webhookId });
    },
  };
}
