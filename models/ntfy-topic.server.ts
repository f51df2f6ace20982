import { Schema, type Connection } from 'mongoose';
import { retryOnDuplicate } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `ntfy_topics`: where an account's reminders go over ntfy. One for each account that uses it. */
interface NtfyTopicRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Whoever knows it can read what is sent there. */
  url: string;
  /** The access token that the topic's server asks for, sealed; null without one. */
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

/** Where reminders go over ntfy. */
export function createNtfyTopicRepository(connection: Connection) {
  const model = modelOf<NtfyTopicRow>(connection, 'NtfyTopic', ntfyTopicSchema);
  return {
    async find(userId: string): Promise<NtfyTopicRecord | null> {
      return model.findOne({ userId }, { _id: 0 }).lean<NtfyTopicRecord>();
    },

    /** Sets it, in place of the one before. */
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
