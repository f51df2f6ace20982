import { trusted, type Connection } from 'mongoose';
import { apiTokenSchema, type ApiTokenRow } from './api-token.model.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A personal token; `hash` is what its secret hashes to. */
export interface ApiTokenRecord extends Omit<ApiTokenRow, '_id' | 'place'> {
  hash: string;
}

function toRecord({ _id, place, ...rest }: ApiTokenRow): ApiTokenRecord {
  return { hash: _id, ...rest };
}

/** Personal tokens. One is looked up by the hash of its secret; all else is by owner. */
export function createApiTokenRepository(connection: Connection) {
  const model = modelOf<ApiTokenRow>(connection, 'ApiToken', apiTokenSchema);

  async function insertAt(place: number, { hash, ...rest }: ApiTokenRecord): Promise<boolean> {
    try {
      await model.create({ _id: hash, place, ...rest });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    /** Puts a token in a free place of its owner. @returns false when all are taken, also by tokens made just now */
    async insert(token: ApiTokenRecord, places: number): Promise<boolean> {
      const rows = await model.find({ userId: token.userId }, { place: 1 }).lean();
      const taken = new Set(rows.map(({ place }) => place));
      for (let place = 0; place < places; place += 1) {
        if (!taken.has(place) && (await insertAt(place, token))) return true;
      }
      return false;
    },

    async findByHash(hash: string): Promise<ApiTokenRecord | null> {
      const row = await model.findById(hash).lean();
      return row === null ? null : toRecord(row);
    },

    /** The owner's tokens, the newest first. */
    async list(userId: string): Promise<ApiTokenRecord[]> {
      const rows = await model.find({ userId }).lean();
      return rows.map(toRecord).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },

    /** Records a use, unless one was recorded after `unlessAfter`. */
    async touch(userId: string, tokenId: string, at: Date, unlessAfter: Date): Promise<void> {
      await model.updateOne(
        { userId, tokenId, lastUsedAt: trusted({ $not: { $gt: unlessAfter } }) },
        { $set: { lastUsedAt: at } },
      );
    },

    /** @returns what was removed; null when the owner has no such token */
    async remove(userId: string, tokenId: string): Promise<ApiTokenRecord | null> {
      const row = await model.findOneAndDelete({ userId, tokenId }).lean();
      return row === null ? null : toRecord(row);
    },

    /** @returns how many there were */
    async clear(userId: string): Promise<number> {
      return (await model.deleteMany({ userId })).deletedCount;
    },
  };
}

export type ApiTokenRepository = ReturnType<typeof createApiTokenRepository>;
