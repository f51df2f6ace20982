import { Schema, trusted, type Connection } from 'mongoose';
import { secretPlaces, type SecretRecord } from '../store/secret-places.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A view of a shared report. */
interface ShareView {
  at: Date;
  /** The viewer's network, reduced by `addressClass`. */
  from: string;
}

/** A document of `report_shares`, keyed by the hash of the link's secret, which its owner was shown once. */
interface ReportShareRow {
  _id: string;
  userId: string;
  /** Identifies it; not a secret. */
  shareId: string;
  /** Which of the account's slots it takes: the unique key that enforces the limit. */
  place: number;
  /** Who it is for; only the owner sees it. */
  label: string | null;
  /** Days of the report, YYYY-MM-DD, both inclusive. */
  start: string;
  end: string;
  compound: string | null;
  notes: boolean;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  viewCount: number;
  /** The latest views, oldest first. */
  views: ShareView[];
}

/** How long an expired or revoked link stays listed. */
const KEPT_SECONDS = 90 * 86_400;

const text = { type: String, required: true };
const optionalText = { type: String, default: null };
const instant = { type: Date, required: true };

const viewSchema = new Schema<ShareView>({ at: instant, from: text }, { _id: false });

const reportShareSchema = new Schema<ReportShareRow>(
  {
    _id: text,
    userId: text,
    shareId: text,
    place: { type: Number, required: true },
    label: optionalText,
    start: text,
    end: text,
    compound: optionalText,
    notes: { type: Boolean, required: true },
    createdAt: instant,
    expiresAt: instant,
    revokedAt: { type: Date, default: null },
    viewCount: { type: Number, default: 0 },
    views: { type: [viewSchema], default: [] },
  },
  { collection: 'report_shares' },
);

reportShareSchema.index({ userId: 1, place: 1 }, { unique: true });
reportShareSchema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

/** A link to a report; `hash` is the hash of its secret. */
export type ReportShareRecord = SecretRecord<ReportShareRow>;

/** Links to reports, looked up by the hash of their secret. All other calls name the owner. */
export function createReportShareRepository(connection: Connection) {
  const model = modelOf<ReportShareRow>(connection, 'ReportShare', reportShareSchema);
  const links = secretPlaces(connection, model);

  /** Removes the oldest link that no longer works, to free its slot. */
  async function removeExpired(userId: string, now: Date): Promise<void> {
    const expired = [{ revokedAt: trusted({ $ne: null }) }, { expiresAt: trusted({ $lte: now }) }];
    const filter = { userId, $or: expired };
    const oldest = await model.findOne(filter, { _id: 1 }).sort({ createdAt: 1 }).lean();
    if (oldest !== null) await links.deleteOne(userId, { ...filter, _id: oldest._id });
  }

  return {
    ...links,

    /**
     * Stores a link in one of its owner's free slots, or in that of a link that no longer works.
     * @returns false when all slots are taken by working links
     */
    async create(share: ReportShareRecord, places: number): Promise<boolean> {
      if (await links.create(share, places)) return true;
      await removeExpired(share.userId, share.createdAt);
      return links.create(share, places);
    },

    /** @returns false when the owner has no such link, or it is already revoked */
    async revoke(userId: string, shareId: string, at: Date): Promise<boolean> {
      const result = await model.updateOne({ userId, shareId, revokedAt: null }, { $set: { revokedAt: at } });
      return result.modifiedCount === 1;
    },

    /** Revokes all of an owner's links. */
    async revokeAll(userId: string, at: Date): Promise<void> {
      await model.updateMany({ userId, revokedAt: null }, { $set: { revokedAt: at } });
    },

    /**
     * Counts a view if the link works at that instant, in one atomic update, so that concurrent revoking and viewing are
     * ordered.
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
