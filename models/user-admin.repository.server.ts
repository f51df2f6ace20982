import type { Connection, UpdateQuery } from 'mongoose';
import type { Role } from '#app/domain/accounts/roles.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';
import { toUserRecord, WITHOUT_SECRET, type UserRecord } from './user.server.ts';

/** The account as an administrator saw it. */
export type KnownUser = Pick<UserRecord, 'id' | 'adminRevision'>;

/**
 * What administrators change of accounts. Each is one atomic update of the account as it was read: of two at once the
 * second changes nothing and gets null, the first gets the account as it was before.
 */
export function createUserAdminRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);

  async function change(known: KnownUser, update: UpdateQuery<UserRow>): Promise<UserRecord | null> {
    const { id, adminRevision } = known;
    const set = { ...update.$set, adminRevision: (adminRevision ?? 0) + 1 };
    const row = await model
      .findOneAndUpdate(
        { _id: id, adminRevision: adminRevision ?? null },
        { ...update, $set: set },
        { returnDocument: 'before', projection: WITHOUT_SECRET },
      )
      .lean();
    return row === null ? null : toUserRecord(row);
  }

  return {
    /** Suspends an account, and ends its subscription and trial. */
    suspend: (known: KnownUser, at: Date) =>
      change(known, {
        $set: { suspendedAt: at, billingStatus: 'canceled', pastDueSince: null },
        $min: { trialEndsAt: at },
      }),

    /** Lifts a suspension; a canceled subscription stays canceled. */
    reinstate: (known: KnownUser) => change(known, { $set: { suspendedAt: null } }),

    /** Grants premium until an administrator ends it. */
    grantPremium: (known: KnownUser, at: Date) => change(known, { $set: { grantedAt: at } }),

    /** Ends what makes premium beside a subscription: the grant, the trial, referral credit. */
    revokePremium: (known: KnownUser, at: Date) =>
      change(known, { $set: { grantedAt: null }, $min: { trialEndsAt: at, creditUntil: at } }),

    changeRole: (known: KnownUser, role: Role) => change(known, { $set: { role } }),

    /** Signing in asks for no code any more. */
    resetSecondFactor: (known: KnownUser) => change(known, { $set: { secondFactorAt: null } }),

    /** Lets nobody in from that instant, from which on the account is deleted. */
    deleteFrom: (known: KnownUser, at: Date) => change(known, { $set: { deleteAfter: at } }),

    /** Moves the revision alone, for a change of what does not stand on the account itself. */
    moveRevision: (known: KnownUser) => change(known, {}),
  };
}
