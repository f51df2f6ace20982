import { Schema, trusted, type Connection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** What an account's files of one kind take, one document for each account that has had any. */
interface FileRoomRow {
  /** The account's id. */
  _id: string;
  userId: string;
  count: number;
  bytes: number;
}

/** So many files of so many bytes. */
export interface Room {
  count: number;
  bytes: number;
}

function schemaOf(collection: string): Schema<FileRoomRow> {
  const schema = new Schema<FileRoomRow>(
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

/** Room is taken before a file is written and given back after it is gone: together they never exceed the quota. */
export function createStorageQuota(connection: Connection, collection: string) {
  const model = modelOf<FileRoomRow>(connection, collection, schemaOf(collection));
  return {
    /** Takes room for one more, as one atomic update. @returns false when there is none */
    async take(userId: string, bytes: number, most: Room): Promise<boolean> {
      const room = {
        count: trusted({ $lt: most.count }),
        bytes: trusted({ $lte: most.bytes - bytes }),
      };
      const filter = { _id: userId, userId, ...room };
      try {
        await model.updateOne(filter, { $inc: { count: 1, bytes } }, { upsert: true });
        return true;
      } catch (error) {
        // There is a document, but not one with room: the upsert tried to make a second.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async give(userId: string, { count, bytes }: Room): Promise<void> {
      await model.updateOne({ _id: userId, userId }, { $inc: { count: -count, bytes: -bytes } });
    },

    async find(userId: string): Promise<Room> {
      const row = await model.findOne({ userId }).lean();
      return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 };
    },

    /** Puts the book right, unless somebody changed it meanwhile. */
    async correct(userId: string, before: Room, after: Room): Promise<void> {
      await model.updateOne({ _id: userId, userId, ...before }, { $set: after });
    },
  };
}

export type FileRoom = ReturnType<typeof createStorageQuota>;
