import { Schema, trusted, type Connection } from 'mongoose';
import { WEBHOOK_TYPES, type WebhookType } from '#app/domain/webhooks/webhook.ts';
import { removeInBatches } from './writes.server.ts';
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

const text = { type: String, required: true } as const;
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
