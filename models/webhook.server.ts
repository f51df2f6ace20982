import { Schema, type Connection, trusted } from 'mongoose';
import {
  WEBHOOK_EVENTS,
  type WebhookEvent,
  WEBHOOK_TYPES,
  type WebhookType,
} from '#app/domain/webhooks/webhook.ts';
import { insertUnlessTaken, removeInBatches } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';
import {
  indexOutbox,
  OUTBOX_FIELDS,
  outboxOf,
  outboxRecordOf,
  type OutboxRecord,
  type OutboxResult,
  type OutboxRow,
} from './outbox.server.ts';

/** A document of `webhooks`: an address of its owner's that is told of events. */
interface WebhookRow {
  _id: string;
  userId: string;
  /** Which of the owner's places it takes; unique, which keeps the limit. */
  place: number;
  url: string;
  events: WebhookEvent[];
  /** What its messages are signed with, sealed. */
  secret: string;
  createdAt: Date;
  /** Since when nothing reaches it; null while something does, or nothing was given up yet. */
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
    createdAt: { type: Date, required: true },
    failingSince: { type: Date, default: null },
  },
  { collection: 'webhooks' },
);

webhookSchema.index({ userId: 1, place: 1 }, { unique: true });

/** An address that is told of events. */
export type WebhookRecord = Omit<WebhookRow, '_id' | 'place'> & { id: string };

function toRecord({ _id, place: _place, ...rest }: WebhookRow): WebhookRecord {
  return { id: _id, ...rest };
}

/** Addresses that are told of events, each change one atomic update of the owner's document. */
export function createWebhookRepository(connection: Connection) {
  const model = modelOf<WebhookRow>(connection, 'Webhook', webhookSchema);
  return {
    /** Puts one in a free place of its owner. @returns false when all are taken, also by some made just now */
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

    /** @returns it afterwards; null when there is none */
    async change(
      userId: string,
      id: string,
      fields: Partial<Pick<WebhookRow, 'url' | 'events' | 'secret' | 'failingSince'>>,
    ): Promise<WebhookRecord | null> {
      const row = await model
        .findOneAndUpdate({ userId, _id: id }, { $set: fields }, { returnDocument: 'after' })
        .lean<WebhookRow>();
      return row === null ? null : toRecord(row);
    },

    /** Notes that nothing reaches it, unless that is noted. */
    async noteFailing(userId: string, id: string, since: Date): Promise<void> {
      await model.updateOne({ userId, _id: id, failingSince: null }, { $set: { failingSince: since } });
    },

    /** @returns what was removed; null when there was none */
    async delete(userId: string, id: string): Promise<WebhookRecord | null> {
      const row = await model.findOneAndDelete({ userId, _id: id }).lean<WebhookRow>();
      return row === null ? null : toRecord(row);
    },
  };
}

/** A document of `webhook_deliveries`: one event on its way to one webhook. */
export interface WebhookDeliveryRow extends OutboxRow {
  webhookId: string;
  /** The same for every webhook that is told, and on every try. */
  eventId: string;
  type: WebhookType;
  /** The dose it is about, or null. */
  doseId: string | null;
  /** What is sent, as text: the same on every try. */
  body: string;
  /** After this it is given up. */
  until: Date;
  triedAt: Date | null;
  /** What the receiver answered last; null when it did not. */
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

/** How a try went. */
export type WebhookDeliveryResult = OutboxResult & Pick<WebhookDeliveryRow, 'triedAt' | 'status'>;

/** The outbox of webhooks. */
export function createWebhookDeliveryRepository(connection: Connection) {
  const model = modelOf<WebhookDeliveryRow>(connection, 'WebhookDelivery', webhookDeliverySchema);
  return {
    ...outboxOf<WebhookDeliveryRow, WebhookDeliveryResult>(model),

    /** Those of a webhook, the newest first. */
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
     * Claims one delivery for sending it at once: one that is done, or waits and is claimed by nobody. It is tried anew,
     * until an instant.
     * @returns null when somebody is sending it at the moment
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

    /** Those of a webhook that is gone. */
    async deleteOf(userId: string, webhookId: string): Promise<void> {
      await removeInBatches(model, { userId, webhookId });
    },
  };
}
