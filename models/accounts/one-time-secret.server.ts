import { Schema, trusted, type Connection } from 'mongoose';
import { removeInBatches } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** What a one-time secret is for. */
const ONE_TIME_PURPOSES = [
  'reset-password',
  'confirm-email',
  'sign-in',
  'passkey',
  'act-on-dose',
  'push-shown',
  'invite',
  'provider-visit',
  'provider-registration',
  'connection',
] as const;
type OneTimePurpose = (typeof ONE_TIME_PURPOSES)[number];

/** A document of `one_time_secrets`, keyed by the hash of what was given out. */
interface OneTimeSecretRow {
  _id: string;
  userId: string;
  purpose: OneTimePurpose;
  createdAt: Date;
  expiresAt: Date;
  /** Wrong answers given with it. */
  failures: number;
  /** Data for the purpose; never a secret. */
  facts: Record<string, unknown>;
}

const oneTimeSecretSchema = new Schema<OneTimeSecretRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    purpose: { type: String, enum: ONE_TIME_PURPOSES, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    failures: { type: Number, default: 0 },
    facts: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'one_time_secrets', minimize: false },
);

oneTimeSecretSchema.index({ userId: 1, purpose: 1 });
oneTimeSecretSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A secret that works once; `hash` is its hash. */
export interface OneTimeSecretRecord extends Omit<OneTimeSecretRow, '_id'> {
  hash: string;
}

function toRecord({ _id, ...rest }: OneTimeSecretRow): OneTimeSecretRecord {
  return { hash: _id, ...rest };
}

/** Secrets that work once and for a short time, looked up by their hash. All other calls name the owner. */
export function createOneTimeSecretRepository(connection: Connection) {
  const model = modelOf<OneTimeSecretRow>(connection, 'OneTimeSecret', oneTimeSecretSchema);
  const running = (hash: string, purpose: OneTimePurpose, now: Date) => ({
    _id: hash,
    purpose,
    expiresAt: trusted({ $gt: now }),
  });
  return {
    async create(secret: OneTimeSecretRecord): Promise<void> {
      const { hash, ...rest } = secret;
      await model.create({ _id: hash, ...rest });
    },

    async createMany(secrets: readonly OneTimeSecretRecord[]): Promise<void> {
      if (secrets.length === 0) return;
      await model.insertMany(secrets.map(({ hash, ...rest }) => ({ _id: hash, ...rest })));
    },

    /** Finds a secret without using it. */
    async find(hash: string, purpose: OneTimePurpose, now: Date): Promise<OneTimeSecretRecord | null> {
      const row = await model.findOne(running(hash, purpose, now)).lean();
      return row === null ? null : toRecord(row);
    },

    /** Uses a secret. Only one of several concurrent calls gets it. */
    async take(hash: string, purpose: OneTimePurpose, now: Date): Promise<OneTimeSecretRecord | null> {
      const row = await model.findOneAndDelete(running(hash, purpose, now)).lean();
      return row === null ? null : toRecord(row);
    },

    /** Counts a wrong answer. @returns the total so far; null when the secret has expired */
    async countFailure(hash: string, purpose: OneTimePurpose, now: Date): Promise<number | null> {
      const row = await model
        .findOneAndUpdate(running(hash, purpose, now), { $inc: { failures: 1 } }, { returnDocument: 'after' })
        .lean();
      return row?.failures ?? null;
    },

    /** Deletes all of an owner's secrets, or those for one purpose. */
    async clear(userId: string, purpose?: OneTimePurpose): Promise<void> {
      await removeInBatches(model, { userId, ...(purpose && { purpose }) });
    },
  };
}
