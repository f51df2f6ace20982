import { Schema, type Connection } from 'mongoose';
import { retryOnDuplicate } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `push_subscriptions`, keyed by the hash of its endpoint: a browser belongs to one account at a time. */
interface PushSubscriptionRow {
  _id: string;
  userId: string;
  /** The sign-in it was made in; it ends with that one's sign-out. */
  signInId: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Which browser, in words. */
  browser: string;
  createdAt: Date;
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
  },
  { collection: 'push_subscriptions' },
);

pushSubscriptionSchema.index({ userId: 1, createdAt: 1 });

/** A browser that pushes go to. */
export interface PushSubscriptionRecord extends Omit<PushSubscriptionRow, '_id' | 'userId'> {
  id: string;
}

function toRecord({ _id, userId: _owner, ...rest }: PushSubscriptionRow): PushSubscriptionRecord {
  return { id: _id, ...rest };
}

/** Browsers that pushes go to. */
export function createPushSubscriptionRepository(connection: Connection) {
  const model = modelOf<PushSubscriptionRow>(connection, 'PushSubscription', pushSubscriptionSchema);
  return {
    /** Registers a browser for this account, and for no other. */
    async put(userId: string, { id, ...rest }: PushSubscriptionRecord): Promise<void> {
      await retryOnDuplicate(() =>
        model.updateOne({ _id: id }, { $set: { userId, ...rest } }, { upsert: true }),
      );
    },

    /** The oldest first. */
    async list(userId: string): Promise<PushSubscriptionRecord[]> {
      return (await model.find({ userId }).sort({ createdAt: 1, _id: 1 }).limit(100).lean()).map(toRecord);
    },

    /** @returns whether there was one */
    async delete(userId: string, id: string): Promise<boolean> {
      return (await model.deleteOne({ userId, _id: id })).deletedCount === 1;
    },

    /** Those of a sign-in that has ended. */
    async deleteOfSignIn(userId: string, signInId: string): Promise<void> {
      await model.deleteMany({ userId, signInId });
    },
  };
}
