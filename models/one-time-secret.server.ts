import { trusted, type Connection } from 'mongoose';
import { modelOf } from './model-of.server.ts';
import {
  oneTimeSecretSchema,
  type OneTimePurpose,
  type OneTimeSecretRow,
} from './one-time-secret.model.server.ts';

/** A secret that works once; `hash` is what it hashes to. */
export interface OneTimeSecretRecord extends Omit<OneTimeSecretRow, '_id'> {
  hash: string;
}

function toRecord({ _id, ...rest }: OneTimeSecretRow): OneTimeSecretRecord {
  return { hash: _id, ...rest };
}

/** Secrets that work once and for a short time. One is looked up by its hash; all else is by owner. */
export function createOneTimeSecretRepository(connection: Connection) {
  const model = modelOf<OneTimeSecretRow>(connection, 'OneTimeSecret', oneTimeSecretSchema);
  const running = (hash: string, purpose: OneTimePurpose, now: Date) => ({
    _id: hash,
    purpose,
    expiresAt: trusted({ $gt: now }),
  });
  return {
    async insert(secret: OneTimeSecretRecord): Promise<void> {
      const { hash, ...rest } = secret;
      await model.create({ _id: hash, ...rest });
    },

    async insertMany(secrets: readonly OneTimeSecretRecord[]): Promise<void> {
      if (secrets.length === 0) return;
      await model.insertMany(secrets.map(({ hash, ...rest }) => ({ _id: hash, ...rest })));
    },

    /** Looks without using it up. */
    async find(hash: string, purpose: OneTimePurpose, now: Date): Promise<OneTimeSecretRecord | null> {
      const row = await model.findOne(running(hash, purpose, now)).lean();
      return row === null ? null : toRecord(row);
    },

    /** Uses it up: of any number of calls at once one gets it. */
    async take(hash: string, purpose: OneTimePurpose, now: Date): Promise<OneTimeSecretRecord | null> {
      const row = await model.findOneAndDelete(running(hash, purpose, now)).lean();
      return row === null ? null : toRecord(row);
    },

    /** Counts a wrong answer. @returns how many there are now; null when the secret is over */
    async countFailure(hash: string, purpose: OneTimePurpose, now: Date): Promise<number | null> {
      const row = await model
        .findOneAndUpdate(running(hash, purpose, now), { $inc: { failures: 1 } }, { returnDocument: 'after' })
        .lean();
      return row?.failures ?? null;
    },

    /** Ends all of an owner's secrets, or those of one purpose. */
    async clear(userId: string, purpose?: OneTimePurpose): Promise<void> {
      await model.deleteMany({ userId, ...(purpose && { purpose }) });
    },
  };
}

export type OneTimeSecretRepository = ReturnType<typeof createOneTimeSecretRepository>;
