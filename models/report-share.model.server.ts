import { Schema } from 'mongoose';

/** Somebody's look at a shared report. */
export interface ShareView {
  at: Date;
  /** Their network, as roughly as `addressClass` says it. */
  from: string;
}

/** A document of `report_shares`, keyed by the hash of the link's secret, which its owner was shown once. */
export interface ReportShareRow {
  _id: string;
  userId: string;
  /** Names it; not a secret. */
  shareId: string;
  /** Which of the account's places it takes: the unique key that keeps the limit. */
  place: number;
  /** For whom; only the owner sees it. */
  label: string | null;
  /** Days of the report, YYYY-MM-DD, both included. */
  start: string;
  end: string;
  compound: string | null;
  notes: boolean;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  viewCount: number;
  /** The latest looks, oldest first. */
  views: ShareView[];
}

/** A link that is over stays listed for so long. */
const KEPT_SECONDS = 90 * 86_400;

const text = { type: String, required: true };
const optionalText = { type: String, default: null };
const instant = { type: Date, required: true };

const viewSchema = new Schema<ShareView>({ at: instant, from: text }, { _id: false });

export const reportShareSchema = new Schema<ReportShareRow>(
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
