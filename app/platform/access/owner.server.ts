import type { Profile } from '#app/domain/accounts/profile.ts';
import { type Role, normaliseEmail } from '#app/domain/accounts/account.ts';
import type { SyringeChoice } from '#app/domain/calculator/calculation.ts';
import { usualSyringe } from '#app/domain/calculator/own-syringe.ts';
import {
  entitlementOf,
  type EntitlementTerms,
  type Subscription,
  type SubscriptionStatus,
} from '#app/domain/billing/plans.ts';
import type { UserRecord } from '#models/index.server.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Ctx } from './context.server.ts';
import { authorise, authorisePremiumUser, type Action } from './authorise.server.ts';
import { repos } from './repositories.server.ts';

/** An account as its owner and the API see it. */
export interface AccountView extends Profile {
  id: string;
  email: string;
  role: Role;
  subscription: Subscription;
  subscriptionStatus: SubscriptionStatus;
  /** Whole days left in a running trial, otherwise null. */
  trialDaysLeft: number | null;
  /** The account has not used its free trial yet. */
  trialAvailable: boolean;
  /** Signing in requires a code. */
  secondFactor: boolean;
  lastLogin: Date | null;
  createdAt: Date;
}

export function accountView(user: UserRecord, terms: EntitlementTerms): AccountView {
  const { id, email, role, name, timeZone, doseUnit, units, lastLogin, createdAt } = user;
  const { syringe, syringes, deadSpaceMl } = user;
  const { subscription, status, trialDaysLeft } = entitlementOf(user, terms);
  return {
    id,
    email,
    role,
    subscription,
    subscriptionStatus: status,
    trialDaysLeft,
    trialAvailable: terms.isSelling && user.trialStartedAt === null,
    name,
    timeZone,
    doseUnit,
    units,
    syringe,
    syringes,
    deadSpaceMl,
    secondFactor: user.secondFactorAt != null,
    lastLogin,
    createdAt,
  };
}

/** The account whose data an operation is about. */
export type Owner = UserRecord;

const noAccount = () => new AppError('NOT_FOUND', 'There is no account with this email.');

/** @throws AppError NOT_FOUND */
export async function getUserByEmail(ctx: Ctx, email: string): Promise<UserRecord> {
  const id = await repos(ctx).addresses.findOwner(normaliseEmail(email));
  const user = id === null ? null : await repos(ctx).users.find(id);
  if (user === null) throw noAccount();
  return user;
}

/**
 * The account an operation is about: the signed-in user's own, or from the terminal the one with this email.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function findOwner(ctx: Ctx, email?: string): Promise<Owner> {
  const { actor } = ctx;
  if (actor.kind === 'cli') return getUserByEmail(ctx, email ?? '');
  if (actor.kind === 'visitor') throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  const user = await repos(ctx).users.find(actor.id);
  if (user === null) throw noAccount();
  return user;
}

/** The account whose data an operation of a premium area is about. */
export interface PremiumOwner {
  id: string;
  /** The owner's zone, an IANA name, even when called from the terminal. */
  timeZone: string;
  /** The owner's syringe; a dose's units refer to its scale. */
  syringe: SyringeChoice;
}

/**
 * Asks the policy about an operation in a premium area, on the signed-in user's own data or, from the terminal, on that of
 * the account with this email.
 * @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED, NOT_FOUND (no such account)
 */
export async function premiumOwner(ctx: Ctx, action: Action, email?: string): Promise<PremiumOwner> {
  if (ctx.actor.kind !== 'cli') {
    const { id, timeZone, syringe } = authorisePremiumUser(ctx.actor, action);
    return { id, timeZone, syringe };
  }
  const owner = await findOwner(ctx, email);
  const { isPremium } = entitlementOf(owner, ctx);
  authorise(ctx.actor, action, { ownerId: owner.id, ownerIsPremium: isPremium });
  return { id: owner.id, timeZone: owner.timeZone, syringe: usualSyringe(owner) };
}
