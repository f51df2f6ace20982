import { Schema } from 'mongoose';

/** A document of `second_factors`: what an authenticator app shares with us. One for each account that has one. */
export interface SecondFactorRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Sealed by the service; base 32 in rows from before that. */
  secret: string;
  createdAt: Date;
  /** When the first code was right; null while it is being set up, when it opens and asks nothing. */
  confirmedAt: Date | null;
  /** The step of the last code that was accepted: neither it nor an older one is accepted again. */
  lastStep: number | null;
  /** Hashes of the recovery codes that were not used yet. */
  recoveryHashes: string[];
}

export const secondFactorSchema = new Schema<SecondFactorRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    secret: { type: String, required: true },
    createdAt: { type: Date, required: true },
    confirmedAt: { type: Date, default: null },
    lastStep: { type: Number, default: null },
    recoveryHashes: { type: [String], default: [] },
  },
  { collection: 'second_factors' },
);

secondFactorSchema.index({ userId: 1 });
