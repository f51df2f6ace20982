import { type Connection, type Model, Schema, trusted } from 'mongoose';
import { filterOf } from './generic-rows.server.ts';
import { modelOf } from './model-of.server.ts';
import { retryOnDuplicate } from './writes.server.ts';

/**
 * A document of `secret_owners`: whose a secret is. It is keyed by the secret's hash, so that one shard of a cluster knows it,
 * while everything else about the secret is with its owner.
 */
interface SecretOwnerRow {
  _id: string;
  userId: string;
  /** When the secret is over at the latest; null if that is open. */
  expiresAt: Date | null;
}

const secretOwnerSchema = new Schema<SecretOwnerRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    expiresAt: { type: Date, default: null },
  },
  { collection: 'secret_owners' },
);

// For deleting an account.
secretOwnerSchema.index({ userId: 1 });
secretOwnerSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

interface OwnedByHash {
  _id: string;
  userId: string;
}

/** Who the owners of secrets are. Collections that are keyed by a secret's hash and belong to its owner share it. */
export function secretOwners(connection: Connection) {
  const model = modelOf<SecretOwnerRow>(connection, 'SecretOwner', secretOwnerSchema);

  async function put(hash: string, userId: string, expiresAt: Date | null = null): Promise<void> {
    await retryOnDuplicate(() =>
      model.updateOne({ _id: hash }, { $set: { userId, expiresAt } }, { upsert: true }),
    );
  }

  return {
    /** Notes whose a secret is, before its row is written. */
    put,

    async delete(hashes: readonly string[]): Promise<void> {
      if (hashes.length > 0) await model.deleteMany({ _id: trusted({ $in: [...hashes] }) });
    },

    /** The row of a secret, of whoever owns it. A secret of an earlier version has no owner here until it is used. */
    async findRow<Row extends OwnedByHash>(rows: Model<Row>, hash: string): Promise<Row | null> {
      const owner = await model.findById(hash).lean();
      const owned =
        owner && (await rows.findOne(filterOf<Row>({ userId: owner.userId, _id: hash })).lean<Row>());
      if (owned) return owned;
      const row = await rows.findById(hash).lean<Row>();
      if (row !== null) await put(hash, row.userId);
      return row;
    },
  };
}
