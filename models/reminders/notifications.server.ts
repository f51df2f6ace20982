import { Schema, trusted, type Connection } from 'mongoose';
import type { NotificationState } from '#app/domain/reminders/notification-choices.ts';
import { retryOnDuplicate } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { createStockCheckRepository } from './stock-check.server.ts';
import { secretOwners } from '../store/secret-owners.server.ts';

/** A document of `notification_choices`: one account's settings; those never chosen are absent. */
interface NotificationChoicesRow extends Partial<NotificationState> {
  /** The account's id. */
  _id: string;
  userId: string;
}

const notificationChoicesSchema = new Schema<NotificationChoicesRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    inPage: Boolean,
    push: Boolean,
    email: Boolean,
    ntfy: Boolean,
    discreet: Boolean,
    repeatOverdue: Boolean,
    missedAfterHours: Number,
    leadDefault: Number,
    lowStock: Boolean,
    vialExpiry: Boolean,
    escalateAfterMinutes: Number,
    quietFrom: String,
    quietTo: String,
    urgentOverdue: Boolean,
    mutedUntil: Date,
  },
  { collection: 'notification_choices' },
);

notificationChoicesSchema.index({ userId: 1 });

/** Notification settings. */
export function createNotificationChoicesRepository(connection: Connection) {
  const model = modelOf<NotificationChoicesRow>(connection, 'NotificationChoices', notificationChoicesSchema);
  const stockChecks = createStockCheckRepository(connection);
  return {
    /** Only the settings that were chosen. */
    async find(userId: string): Promise<Partial<NotificationState>> {
      const row = await model.findOne({ userId }).lean();
      if (row === null) return {};
      const { _id, userId: owner, ...chosen } = row;
      return chosen;
    },

    /** Sets these and leaves the others unchanged. */
    async update(userId: string, changes: Partial<NotificationState>): Promise<void> {
      await retryOnDuplicate(() =>
        model.updateOne({ _id: userId, userId }, { $set: { ...changes } }, { upsert: true }),
      );
      await stockChecks.mark(userId);
    },
  };
}

/** A document of `push_subscriptions`, keyed by the hash of its endpoint: a browser belongs to one account at a time. */
interface PushSubscriptionRow {
  _id: string;
  userId: string;
  /** The sign-in it was created in; signing out removes it. */
  signInId: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** The browser's name. */
  browser: string;
  createdAt: Date;
  /** When it last showed a push; absent or null before the first. */
  provenAt?: Date | null;
}

const text = { type: String, required: true } as const;

const pushSubscriptionSchema = new Schema<PushSubscriptionRow>(
  {
    _id: text,
    userId: text,
    signInId: text,
    endpoint: text,
    p256dh: text,
    auth: text,
    browser: text,
    createdAt: { type: Date, required: true },
    provenAt: Date,
  },
  { collection: 'push_subscriptions' },
);

pushSubscriptionSchema.index({ userId: 1, createdAt: 1 });

/** A browser that receives push notifications. */
export interface PushSubscriptionRecord extends Omit<PushSubscriptionRow, '_id' | 'userId'> {
  id: string;
}

function toRecord({ _id, userId: _owner, ...rest }: PushSubscriptionRow): PushSubscriptionRecord {
  return { id: _id, ...rest };
}

/** Browsers that receive push notifications. */
export function createPushSubscriptionRepository(connection: Connection) {
  const model = modelOf<PushSubscriptionRow>(connection, 'PushSubscription', pushSubscriptionSchema);
  const owners = secretOwners(connection);
  return {
    /** Registers a browser for this account, and removes it from any other. */
    async put(userId: string, { id, ...rest }: PushSubscriptionRecord): Promise<void> {
      const known = await owners.findRow(model, id);
      if (known !== null && known.userId !== userId) await model.deleteOne({ userId: known.userId, _id: id });
      await owners.put(id, userId);
      await retryOnDuplicate(() => model.updateOne({ userId, _id: id }, { $set: rest }, { upsert: true }));
    },

    /** The oldest first. */
    async list(userId: string): Promise<PushSubscriptionRecord[]> {
      return (await model.find({ userId }).sort({ createdAt: 1, _id: 1 }).limit(100).lean()).map(toRecord);
    },

    /** Notes that it has shown a push. */
    async markProven(userId: string, id: string, at: Date): Promise<void> {
      await model.updateOne({ userId, _id: id }, { $set: { provenAt: at } });
    },

    /** @returns whether there was one */
    async delete(userId: string, id: string): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ userId, _id: id });
      if (deletedCount === 1) await owners.delete([id]);
      return deletedCount === 1;
    },

    /** Deletes those of a sign-in that has ended. */
    async deleteOfSignIn(userId: string, signInId: string): Promise<void> {
      const rows = await model.find({ userId, signInId }, { _id: 1 }).lean();
      if (rows.length === 0) return;
      const ids = rows.map(({ _id }) => _id);
      await model.deleteMany({ userId, signInId, _id: trusted({ $in: ids }) });
      await owners.delete(ids);
    },
  };
}

/** A document of `ntfy_topics`: the ntfy topic for an account's reminders. */
interface NtfyTopicRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** A secret: anyone who knows it can read what is sent there. */
  url: string;
  /** The access token for the topic's server, sealed; null if it needs none. */
  token: string | null;
  createdAt: Date;
}

const ntfyTopicSchema = new Schema<NtfyTopicRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    url: { type: String, required: true },
    token: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'ntfy_topics' },
);

ntfyTopicSchema.index({ userId: 1 });

export type NtfyTopicRecord = Omit<NtfyTopicRow, '_id'>;

/** The ntfy topics that reminders are sent to. */
export function createNtfyTopicRepository(connection: Connection) {
  const model = modelOf<NtfyTopicRow>(connection, 'NtfyTopic', ntfyTopicSchema);
  return {
    async find(userId: string): Promise<NtfyTopicRecord | null> {
      return model.findOne({ userId }, { _id: 0 }).lean<NtfyTopicRecord>();
    },

    /** Sets the topic, replacing the previous one. */
    async put(topic: NtfyTopicRecord): Promise<void> {
      const { userId, ...fields } = topic;
      await retryOnDuplicate(() =>
        model.updateOne({ _id: userId, userId }, { $set: fields }, { upsert: true }),
      );
    },

    /** @returns whether there was one */
    async delete(userId: string): Promise<boolean> {
      return (await model.deleteOne({ userId, _id: userId })).deletedCount === 1;
    },
  };
}
