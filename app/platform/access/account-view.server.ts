import type { Profile } from '#app/domain/accounts/profile.ts';
import type { Role } from '#app/domain/accounts/account.ts';
import { entitlementOf, type Subscription, type SubscriptionStatus } from '#app/domain/billing/plans.ts';
import type { UserRecord } from '#models/index.server.ts';

/** An account as its owner and the API see it. */
export interface AccountView extends Profile {
  id: string;
  email: string;
  role: Role;
  subscription: Subscription;
  subscriptionStatus: SubscriptionStatus;
  /** Whole days left of a running trial, else null. */
  trialDaysLeft: number | null;
  /** The account has not used its free trial yet. */
  trialAvailable: boolean;
  /** Signing in needs a code. */
  secondFactor: boolean;
  lastLogin: Date | null;
  createdAt: Date;
}

export function accountView(user: UserRecord, now: Date): AccountView {
  const { id, email, role, name, timeZone, doseUnit, units, lastLogin, createdAt } = user;
  const { subscription, status, trialDaysLeft } = entitlementOf(user, now);
  return {
    id,
    email,
    role,
    subscription,
    subscriptionStatus: status,
    trialDaysLeft,
    trialAvailable: user.trialStartedAt === null,
    name,
    timeZone,
    doseUnit,
    units,
    secondFactor: user.secondFactorAt != null,
    lastLogin,
    createdAt,
  };
}
