import { Schema, trusted, type Connection } from 'mongoose';
import { isDuplicateKey } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `idempotent_calls`, keyed by the hash of its owner and the key they sent. */
interface IdempotentCallRow {
  _id: string;
  userId: string;
  /** Equal for equal requests. */
  fingerprint: string;
  /** The answer as JSON; null while it runs; empty when it held a secret. */
  answer: string | null;
  /** A run that has not finished by then was interrupted. */
  claimedUntil: Date;
  expiresAt: Date;
}

const idempotentCallSchema = new Schema<IdempotentCallRow>(
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

/** What a run records when it begins. */
type Claim = Pick<IdempotentCallRow, 'fingerprint' | 'claimedUntil' | 'expiresAt'>;

/** Writes that clients may safely resend, and their answers. */
export function createIdempotentCallRepository(connection: Connection) {
  const model = modelOf<IdempotentCallRow>(connection, 'IdempotentCall', idempotentCallSchema);
  return {
    /**
     * Begins a run under a key. Only one of several concurrent calls gets it. A run whose time is up is taken over.
     * @returns null when it is ours, otherwise the other run
     */
    async claim(userId: string, id: string, claim: Claim, now: Date): Promise<IdempotentCallRow | null> {
      try {
        await model.create({ _id: id, userId, ...claim });
        return null;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const cutOff = { answer: null, claimedUntil: trusted({ $lte: now }) };
      const taken = await model.updateOne(
        { _id: id, userId, $or: [cutOff, { expiresAt: trusted({ $lte: now }) }] },
        { $set: { ...claim, answer: null } },
      );
      if (taken.modifiedCount === 1) return null;
      const other = await model.findOne({ _id: id, userId }).lean();
      // Gone between the two queries: the other run has just failed. Reported as running, so that the client retries.
      return other ?? { _id: id, userId, ...claim, answer: null };
    },

    /** Stores the answer of our run. */
    async finish(userId: string, id: string, claimedUntil: Date, answer: string): Promise<void> {
      await model.updateOne({ _id: id, userId, claimedUntil }, { $set: { answer } });
    },

    /** Releases the key after our run failed. */
    async release(userId: string, id: string, claimedUntil: Date): Promise<void> {
      await model.deleteOne({ _id: id, userId, claimedUntil, answer: null });
    },
  };
}
