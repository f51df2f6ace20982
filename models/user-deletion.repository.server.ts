import { trusted, type Connection } from 'mongoose';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';
import { toUserRecord, WITHOUT_SECRET, type UserRecord } from './user.server.ts';

/** When accounts are deleted. Each change is one atomic update of the account it names. */
export function createUserDeletionRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** Sets the instant of deletion, unless there is one already. @returns whether it was set */
    async scheduleDeletion(id: string, at: Date): Promise<boolean> {
      const result = await model.updateOne({ _id: id, deleteAfter: null }, { $set: { deleteAfter: at } });
      return result.modifiedCount === 1;
    },

    /** Calls the deletion off while it is not due yet. @returns whether there was one */
    async cancelDeletion(id: string, now: Date): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, deleteAfter: trusted({ $gt: now }) },
        { $set: { deleteAfter: null } },
      );
      return result.modifiedCount === 1;
    },

    /** Accounts of anybody whose deletion is due and that no other worker has in hand, for the step that does it. */
    async findDeletionsDue(now: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find(
          {
            deleteAfter: trusted({ $lte: now }),
            deletionClaimedUntil: trusted({ $not: { $gt: now } }),
          },
          { _id: 1 },
        )
        .sort({ deleteAfter: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id }) => _id);
    },

    /** Takes a due account in hand until an instant; one worker gets it. @returns the account, null for the others */
    async claimDeletion(id: string, now: Date, until: Date): Promise<UserRecord | null> {
      const row = await model
        .findOneAndUpdate(
          {
            _id: id,
            deleteAfter: trusted({ $lte: now }),
            deletionClaimedUntil: trusted({ $not: { $gt: now } }),
          },
          { $set: { deletionClaimedUntil: until } },
          { returnDocument: 'after', projection: WITHOUT_SECRET },
        )
        .lean();
      return row === null ? null : toUserRecord(row);
    },
  };
}
