import { trusted, type Connection, type QueryFilter } from 'mongoose';
import { graceStart } from '#app/domain/plans/index.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';

/** How many accounts there are, how many may use everything, how many were seen lately. */
export interface UserCounts {
  total: number;
  premium: number;
  active: number;
}

/** Filter of the accounts that `entitlementOf` calls premium. */
function premiumFilter(now: Date): QueryFilter<UserRow> {
  return {
    suspendedAt: null,
    $or: [
      { billingStatus: 'active' },
      { billingStatus: 'past_due', pastDueSince: trusted({ $gt: graceStart(now) }) },
      { grantedAt: trusted({ $ne: null }) },
      { creditUntil: trusted({ $gt: now }) },
      { trialEndsAt: trusted({ $gt: now }) },
    ],
  };
}

/** Counts over all accounts, for the admin statistics. */
export function createUserCountRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** All accounts, from the collection alone. */
    async countAll(): Promise<number> {
      return model.estimatedDocumentCount();
    },

    /** Totals over all accounts; active means seen since `activeSince`. */
    async count(now: Date, activeSince: Date): Promise<UserCounts> {
      const [total, premium, active] = await Promise.all([
        model.estimatedDocumentCount(),
        model.countDocuments(premiumFilter(now)),
        model.countDocuments({ lastSeenAt: trusted({ $gte: activeSince }) }),
      ]);
      return { total, premium, active };
    },
  };
}
