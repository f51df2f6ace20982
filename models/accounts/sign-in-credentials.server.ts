import { Schema, trusted, type Connection } from 'mongoose';
import { isDuplicateKey } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { secretPlaces, type SecretRecord, type SecretRow } from '../store/secret-places.server.ts';

/** A document of `second_factors`: the secret shared with an account's authenticator app. */
interface SecondFactorRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Sealed by the service; plain base 32 in older rows. */
  secret: string;
  createdAt: Date;
  /** When the first correct code was entered; null during setup, when it has no effect yet. */
  confirmedAt: Date | null;
  /** The time step of the last accepted code; neither it nor an older one is accepted again. */
  lastStep: number | null;
  /** Hashes of unused recovery codes. */
  recoveryHashes: string[];
}

const secondFactorSchema = new Schema<SecondFactorRow>(
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

export type SecondFactorRecord = Omit<SecondFactorRow, '_id'>;

/** Second factors, each change one atomic update of the owner's document. */
export function createSecondFactorRepository(connection: Connection) {
  const model = modelOf<SecondFactorRow>(connection, 'SecondFactor', secondFactorSchema);
  const confirmed = (userId: string) => ({ userId, confirmedAt: trusted({ $ne: null }) });
  return {
    async find(userId: string): Promise<SecondFactorRecord | null> {
      return model.findOne({ userId }, { _id: 0 }).lean<SecondFactorRecord>();
    },

    /** Begins a setup, replacing an unconfirmed one. @returns false when the account has a confirmed factor */
    async begin(userId: string, secret: string, at: Date): Promise<boolean> {
      const fresh = { secret, createdAt: at, lastStep: null, recoveryHashes: [] };
      try {
        await model.updateOne({ _id: userId, userId, confirmedAt: null }, { $set: fresh }, { upsert: true });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Confirms the setup of this secret. @returns false when there is no such setup */
    async confirm(
      userId: string,
      secret: string,
      first: { at: Date; step: number; recoveryHashes: string[] },
    ): Promise<boolean> {
      const { at, step, recoveryHashes } = first;
      const result = await model.updateOne(
        { userId, secret, confirmedAt: null },
        { $set: { confirmedAt: at, lastStep: step, recoveryHashes } },
      );
      return result.modifiedCount === 1;
    },

    /** Stores the same secret in another form, unless it was replaced in the meantime. */
    async replaceSecret(userId: string, known: string, next: string): Promise<void> {
      await model.updateOne({ userId, secret: known }, { $set: { secret: next } });
    },

    /** Uses up a time step and all before it. @returns false when it was already used */
    async useStep(userId: string, step: number): Promise<boolean> {
      const result = await model.updateOne(
        { ...confirmed(userId), lastStep: trusted({ $lt: step }) },
        { $set: { lastStep: step } },
      );
      return result.modifiedCount === 1;
    },

    /** Uses up a recovery code. @returns how many are left; null when it is wrong or already used */
    async useRecoveryCode(userId: string, hash: string): Promise<number | null> {
      const row = await model
        .findOneAndUpdate(
          { ...confirmed(userId), recoveryHashes: hash },
          { $pull: { recoveryHashes: hash } },
          { returnDocument: 'after' },
        )
        .lean();
      return row?.recoveryHashes.length ?? null;
    },

    /** Replaces the recovery codes. @returns false when the account has no factor */
    async replaceRecoveryCodes(userId: string, hashes: string[]): Promise<boolean> {
      const result = await model.updateOne(confirmed(userId), { $set: { recoveryHashes: hashes } });
      return result.matchedCount === 1;
    },

    /** @returns whether there was a confirmed factor */
    async delete(userId: string): Promise<boolean> {
      const row = await model.findOneAndDelete({ userId }).lean();
      return row?.confirmedAt != null;
    },
  };
}

/** A document of `passkeys`, keyed by the hash of the credential's id. The private key never leaves the authenticator. */
interface PasskeyRow extends SecretRow {
  /** The credential's id as the authenticator knows it, base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** The authenticator's use counter; 0 if it does not count. */
  counter: number;
  /** How the browser reaches it: `internal`, `usb` … */
  transports: string[];
  /** True when it is synced across devices, for example by a password manager. */
  isSynced: boolean;
  name: string;
  lastUsedAt: Date | null;
}

const passkeySchema = new Schema<PasskeyRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    place: { type: Number, required: true },
    credentialId: { type: String, required: true },
    publicKey: { type: String, required: true },
    counter: { type: Number, required: true },
    transports: { type: [String], default: [] },
    isSynced: { type: Boolean, required: true },
    name: { type: String, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
  },
  { collection: 'passkeys' },
);

passkeySchema.index({ userId: 1, place: 1 }, { unique: true });

/** A passkey; `hash` is the hash of its credential's id. */
export type PasskeyRecord = SecretRecord<PasskeyRow>;

/** Passkeys, looked up at sign-in by the hash of the credential's id. All other calls name the owner. */
export function createPasskeyRepository(connection: Connection) {
  const model = modelOf<PasskeyRow>(connection, 'Passkey', passkeySchema);
  const keys = secretPlaces(connection, model);
  return {
    ...keys,

    /** Whether the owner still has it. */
    async isThere(userId: string, hash: string): Promise<boolean> {
      return (await model.exists({ userId, _id: hash })) !== null;
    },

    /**
     * Records a use. A counter that does not increase is refused, unless the authenticator does not count at all.
     * @returns false when it was refused, or the passkey is gone
     */
    async recordUse(userId: string, hash: string, use: { counter: number; at: Date }): Promise<boolean> {
      const { counter, at } = use;
      const known = counter === 0 ? 0 : trusted({ $lt: counter });
      const result = await model.updateOne(
        { userId, _id: hash, counter: known },
        { $set: { counter, lastUsedAt: at } },
      );
      return result.matchedCount === 1;
    },

    /** @returns the removed passkey; null when the owner has no such passkey */
    delete: (userId: string, hash: string): Promise<PasskeyRecord | null> =>
      keys.deleteOne(userId, { _id: hash }),
  };
}

/** A document of `identities`, keyed by the hash of issuer and subject, so that one person there has one account here. */
interface IdentityRow extends SecretRow {
  /** The provider's address. */
  issuer: string;
  /** Who its owner is there. */
  subject: string;
  /** The address that the provider named when it was linked, to recognise it by. */
  email: string | null;
  lastUsedAt: Date | null;
}

const identitySchema = new Schema<IdentityRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    place: { type: Number, required: true },
    issuer: { type: String, required: true },
    subject: { type: String, required: true },
    email: { type: String, default: null },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
  },
  { collection: 'identities' },
);

identitySchema.index({ userId: 1, place: 1 }, { unique: true });

/** Who an account's owner is at a provider; `hash` is the hash of issuer and subject. */
export type IdentityRecord = SecretRecord<IdentityRow>;

/** Identities at providers, looked up at sign-in by the hash of issuer and subject. All other calls name the owner. */
export function createIdentityRepository(connection: Connection) {
  const model = modelOf<IdentityRow>(connection, 'Identity', identitySchema);
  const identities = secretPlaces(connection, model);
  return {
    ...identities,

    /** Whether the owner still has it. */
    async isThere(userId: string, hash: string): Promise<boolean> {
      return (await model.exists({ userId, _id: hash })) !== null;
    },

    async recordUse(userId: string, hash: string, at: Date): Promise<void> {
      await model.updateOne({ userId, _id: hash }, { $set: { lastUsedAt: at } });
    },

    /** @returns the removed identity; null when the owner has no such identity */
    delete: (userId: string, hash: string): Promise<IdentityRecord | null> =>
      identities.deleteOne(userId, { _id: hash }),
  };
}
