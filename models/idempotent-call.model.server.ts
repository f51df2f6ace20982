import { Schema } from 'mongoose';

/** A document of `idempotent_calls`, keyed by the hash of its owner and the key they gave. */
export interface IdempotentCallRow {
  _id: string;
  userId: string;
  /** Equal for equal requests. */
  fingerprint: string;
  /** The answer as JSON; null while it runs; empty when it held a secret. */
  answer: string | null;
  /** A run that has not ended by then was cut off. */
  claimedUntil: Date;
  expiresAt: Date;
}

export const idempotentCallSchema = new Schema<IdempotentCallRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    fingerprint: { type: String, required: true },
    answer: { type: String, default: null },
    claimedUntil: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'idempotent_calls' },
);

idempotentCallSchema.index({ userId: 1 });
idempotentCallSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
