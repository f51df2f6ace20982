import { Schema, type Connection } from 'mongoose';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#app/domain/webhooks/webhook.ts';
import { insertUnlessTaken } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

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
