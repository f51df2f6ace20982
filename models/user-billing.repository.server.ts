import { trusted, type Connection } from 'mongoose';
import type { BillingStatus } from '#app/domain/billing/entitlement.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';

/** Where an account's payment stands, as of one version of its billing. */
export interface UserBilling {
  billingStatus: BillingStatus;
  pastDueSince: Date | null;
  version: number;
}

/** What of an account's billing stands on the account itself. Each is one atomic update. */
export function createUserBillingRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** Writes where the payment stands; what comes from an older version changes nothing. */
    async setBilling(id: string, { billingStatus, pastDueSince, version }: UserBilling): Promise<void> {
      await model.updateOne(
        { _id: id, billingVersion: trusted({ $not: { $gte: version } }) },
        { $set: { billingStatus, pastDueSince, billingVersion: version } },
      );
    },

    /** Gives the account its customer at the payment provider, in place of `known`. @returns whether it was */
    async setStripeCustomer(id: string, known: string | null, customerId: string): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, stripeCustomerId: known },
        { $set: { stripeCustomerId: customerId } },
      );
      return result.modifiedCount === 1;
    },

    /** Ends what makes premium beside a subscription: an admin's grant, the trial, referral credit. */
    async endFreePremium(id: string, at: Date): Promise<void> {
      await model.updateOne(
        { _id: id },
        { $set: { grantedAt: null }, $min: { trialEndsAt: at, creditUntil: at } },
      );
    },
  };
}
