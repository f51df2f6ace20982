import type { Connection } from 'mongoose';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { pushSubscriptionSchema, type PushSubscriptionRow } from './push-subscription.model.server.ts';

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
    /** Keeps a browser for this account; whoever had it before has it no more. */
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
    async remove(userId: string, id: string): Promise<boolean> {
      return (await model.deleteOne({ userId, _id: id })).deletedCount === 1;
    },

    /** Those of a sign-in that has ended. */
    async removeOfSignIn(userId: string, signInId: string): Promise<void> {
      await model.deleteMany({ userId, signInId });
    },
  };
}

export type PushSubscriptionRepository = ReturnType<typeof createPushSubscriptionRepository>;
