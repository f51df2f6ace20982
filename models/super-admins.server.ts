import { Schema, trusted, type Connection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `role_holders`: who holds a role that must never be without a holder. One document a role. */
interface SuperAdminsRow {
  _id: 'super_admin';
  userIds: string[];
}

const superAdminsSchema = new Schema<SuperAdminsRow>(
  { _id: { type: String, required: true }, userIds: { type: [String], required: true } },
  { collection: 'role_holders' },
);

/** Who holds the role that must never be without a holder: all in one document, so that the rule is one update. */
export function createSuperAdminRepository(connection: Connection) {
  const model = modelOf<SuperAdminsRow>(connection, 'RoleHolders', superAdminsSchema);
  const KEY = 'super_admin';
  return {
    /** Takes the role when nobody holds it. @returns false when somebody does */
    async claimFirst(userId: string): Promise<boolean> {
      try {
        const filter = { _id: KEY, userIds: trusted({ $size: 0 }) } as const;
        const result = await model.updateOne(filter, { $set: { userIds: [userId] } }, { upsert: true });
        return result.upsertedCount + result.modifiedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async add(userId: string): Promise<void> {
      await model.updateOne({ _id: KEY }, { $addToSet: { userIds: userId } }, { upsert: true });
    },

    /** Gives the role up unless nobody else holds it. @returns false when it was the last holder */
    async removeUnlessLast(userId: string): Promise<boolean> {
      const result = await model.updateOne(
        { _id: KEY, userIds: userId, 'userIds.1': trusted({ $exists: true }) },
        { $pull: { userIds: userId } },
      );
      return result.modifiedCount === 1;
    },
  };
}
