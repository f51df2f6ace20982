import { trusted, type Connection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { reportShareSchema, type ReportShareRow, type ShareView } from './report-share.model.server.ts';

/** A link to a report; `hash` is what its secret hashes to. */
export interface ReportShareRecord extends Omit<ReportShareRow, '_id' | 'place'> {
  hash: string;
}

function toRecord({ _id, place: _place, ...rest }: ReportShareRow): ReportShareRecord {
  return { hash: _id, ...rest };
}

/** Links to reports. One is looked up by the hash of its secret; all else is by owner. */
export function createReportShareRepository(connection: Connection) {
  const model = modelOf<ReportShareRow>(connection, 'ReportShare', reportShareSchema);

  async function insertAt(place: number, { hash, ...rest }: ReportShareRecord): Promise<boolean> {
    try {
      await model.create({ _id: hash, place, ...rest });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Removes the oldest link that no longer works, so that its place is free. */
  async function dropOver(userId: string, now: Date): Promise<void> {
    const over = [{ revokedAt: trusted({ $ne: null }) }, { expiresAt: trusted({ $lte: now }) }];
    await model.findOneAndDelete({ userId, $or: over }, { sort: { createdAt: 1 } });
  }

  async function insertFree(share: ReportShareRecord, places: number): Promise<boolean> {
    const rows = await model.find({ userId: share.userId }, { place: 1 }).lean();
    const taken = new Set(rows.map(({ place }) => place));
    for (let place = 0; place < places; place += 1)
      if (!taken.has(place) && (await insertAt(place, share))) return true;
    return false;
  }

  return {
    /**
     * Puts a link in a free place of its owner, or in that of one that no longer works.
     * @returns false when all places are taken by links that work
     */
    async insert(share: ReportShareRecord, places: number): Promise<boolean> {
      if (await insertFree(share, places)) return true;
      await dropOver(share.userId, share.createdAt);
      return insertFree(share, places);
    },

    async findByHash(hash: string): Promise<ReportShareRecord | null> {
      const row = await model.findById(hash).lean();
      return row === null ? null : toRecord(row);
    },

    /** The owner's links, the newest first. */
    async list(userId: string): Promise<ReportShareRecord[]> {
      const rows = await model.find({ userId }).lean();
      return rows.map(toRecord).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },

    /** @returns false when the owner has no such link that is not revoked yet */
    async revoke(userId: string, shareId: string, at: Date): Promise<boolean> {
      const result = await model.updateOne({ userId, shareId, revokedAt: null }, { $set: { revokedAt: at } });
      return result.modifiedCount === 1;
    },

    /**
     * Counts a look, if the link still works at its instant: one atomic update, so that revoking it and looking at it
     * at once have an order.
     * @returns whether it works
     */
    async countView(userId: string, hash: string, view: ShareView, listed: number): Promise<boolean> {
      const result = await model.updateOne(
        { userId, _id: hash, revokedAt: null, expiresAt: trusted({ $gt: view.at }) },
        { $inc: { viewCount: 1 }, $push: { views: { $each: [view], $slice: -listed } } },
      );
      return result.modifiedCount === 1;
    },
  };
}

export type ReportShareRepository = ReturnType<typeof createReportShareRepository>;
