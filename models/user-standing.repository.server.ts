import { trusted, type Connection } from 'mongoose';
import type { Role } from '#app/domain/accounts/index.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';
import { toUserRecord, WITHOUT_SECRET, type UserRecord } from './user.repository.server.ts';

/** Changes of what an account may do. Each is one atomic update of the account it names. */
export function createUserStandingRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** Starts the trial unless the account has had one. @returns whether it was started */
    async startTrial(id: string, at: Date, endsAt: Date): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, trialStartedAt: null },
        { $set: { trialStartedAt: at, trialEndsAt: endsAt } },
      );
      return result.modifiedCount === 1;
    },

    /** Suspends an account that is not suspended, and ends its subscription and trial. @returns the account before */
    async suspend(id: string, at: Date): Promise<UserRecord | null> {
      const row = await model
        .findOneAndUpdate(
          { _id: id, suspendedAt: null },
          {
            $set: { suspendedAt: at, billingStatus: 'canceled', pastDueSince: null },
            $min: { trialEndsAt: at },
          },
          { returnDocument: 'before', projection: WITHOUT_SECRET },
        )
        .lean();
      return row === null ? null : toUserRecord(row);
    },

    /** Lifts a suspension; a canceled subscription stays canceled. @returns the account before */
    async reinstate(id: string): Promise<UserRecord | null> {
      const row = await model
        .findOneAndUpdate(
          { _id: id, suspendedAt: trusted({ $ne: null }) },
          { $set: { suspendedAt: null } },
          { returnDocument: 'before', projection: WITHOUT_SECRET },
        )
        .lean();
      return row === null ? null : toUserRecord(row);
    },

    async setRole(id: string, role: Role): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { role } });
    },
  };
}
