import { Schema, trusted, type Connection } from 'mongoose';
import { isDuplicateKey } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** The space used by an account's files of one kind. */
interface StorageUsageRow {
  /** The account's id. */
  _id: string;
  userId: string;
  count: number;
  bytes: number;
}

/** File count and total bytes. */
export interface FileUsage {
  count: number;
  bytes: number;
}

function schemaOf(collection: string): Schema<StorageUsageRow> {
  const schema = new Schema<StorageUsageRow>(
    {
      _id: { type: String, required: true },
      userId: { type: String, required: true },
      count: { type: Number, default: 0 },
      bytes: { type: Number, default: 0 },
    },
    { collection },
  );
  schema.index({ userId: 1 });
  return schema;
}

/** Space is reserved before a file is written and released after it is gone, so that no account exceeds its quota. */
export function createStorageQuota(connection: Connection, collection: string) {
  const model = modelOf<StorageUsageRow>(connection, collection, schemaOf(collection));
  return {
    /** Reserves space for one more file in one atomic update. @returns false when the quota is used up */
    async reserve(userId: string, bytes: number, most: FileUsage): Promise<boolean> {
      const hasSpace = {
        count: trusted({ $lt: most.count }),
        bytes: trusted({ $lte: most.bytes - bytes }),
      };
      const filter = { _id: userId, userId, ...hasSpace };
      try {
        await model.updateOne(filter, { $inc: { count: 1, bytes } }, { upsert: true });
        return true;
      } catch (error) {
        // The account has no space left, so the upsert tried to create a second document.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async release(userId: string, { count, bytes }: FileUsage): Promise<void> {
      await model.updateOne({ _id: userId, userId }, { $inc: { count: -count, bytes: -bytes } });
    },

    async get(userId: string): Promise<FileUsage> {
      const row = await model.findOne({ userId }).lean();
      return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 };
    },

    /** Replaces the recorded usage, unless it has changed meanwhile. */
    async correct(userId: string, before: FileUsage, after: FileUsage): Promise<void> {
      await model.updateOne({ _id: userId, userId, ...before }, { $set: after });
    },
  };
}

export type StorageUsageRepository = ReturnType<typeof createStorageQuota>;
