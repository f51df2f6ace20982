import { Schema, trusted, type Connection } from 'mongoose';
import { modelOf } from './model-of.server.ts';
import { secretPlaces, secretRecordOf, type SecretRecord, type SecretRow } from './secret-places.server.ts';

/** A document of `passkeys`, keyed by the hash of the credential's id. The private key never leaves the authenticator. */
interface PasskeyRow extends SecretRow {
  /** The credential's id as the authenticator knows it, base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Uses that the authenticator has counted; 0 for one that does not count. */
  counter: number;
  /** How the browser reaches it: `internal`, `usb` … */
  transports: string[];
  /** It is kept on several devices, such as in a password manager. */
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

/** Passkeys, looked up by the hash of the credential's id at sign-in; everything else is by owner. */
export function createPasskeyRepository(connection: Connection) {
  const model = modelOf<PasskeyRow>(connection, 'Passkey', passkeySchema);
  return {
    ...secretPlaces(model),

    /** Whether the owner still has it. */
    async isThere(userId: string, hash: string): Promise<boolean> {
      return (await model.exists({ userId, _id: hash })) !== null;
    },

    /**
     * Records a use. A counter that does not rise is refused, unless the authenticator does not count at all.
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

    /** @returns what was removed; null when the owner has no such passkey */
    async delete(userId: string, hash: string): Promise<PasskeyRecord | null> {
      const row = await model.findOneAndDelete({ userId, _id: hash }).lean();
      return row === null ? null : secretRecordOf(row);
    },

    /** @returns how many there were */
    async clear(userId: string): Promise<number> {
      return (await model.deleteMany({ userId })).deletedCount;
    },
  };
}
