import type { Connection } from 'mongoose';
import type { Role } from '#app/domain/accounts/roles.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';

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

    async setRole(id: string, role: Role): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { role } });
    },
  };
}
