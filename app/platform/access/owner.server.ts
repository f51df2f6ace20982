import { normaliseEmail } from '#app/domain/accounts/credentials.ts';
import { AppError } from '#app/domain/errors.ts';
import type { UserRecord } from '#models/index.server.ts';
import type { Ctx } from './context.server.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { authorise, authorisePremiumUser, type Action } from './authorise.server.ts';

/** The account whose data an operation is about. */
export type Owner = UserRecord;

const noAccount = () => new AppError('NOT_FOUND', 'There is no account with this address.');

/** @throws AppError NOT_FOUND */
export async function getUserByEmail(ctx: Ctx, email: string): Promise<UserRecord> {
  const id = await ctx.repos.addresses.findOwner(normaliseEmail(email));
  const user = id === null ? null : await ctx.repos.users.findById(id);
  if (user === null) throw noAccount();
  return user;
}

/**
 * The account an operation is about: the signed-in user's own, or at the terminal the one with the address.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function findOwner(ctx: Ctx, email?: string): Promise<Owner> {
  const { actor } = ctx;
  if (actor.kind === 'cli') return getUserByEmail(ctx, email ?? '');
  if (actor.kind === 'visitor') throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  const user = await ctx.repos.users.findById(actor.id);
  if (user === null) throw noAccount();
  return user;
}

/** The account whose data an operation of a premium area is about. */
export interface PremiumOwner {
  id: string;
  /** The owner's zone, an IANA name, also at the terminal. */
  timeZone: string;
}

/**
 * Asks the policy for an operation of a premium area, on the signed-in user's own data, or at the terminal on that of the
 * account with the address.
 * @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED, NOT_FOUND (no such account)
 */
export async function premiumOwner(ctx: Ctx, action: Action, email?: string): Promise<PremiumOwner> {
  if (ctx.actor.kind !== 'cli') {
    const { id, timeZone } = authorisePremiumUser(ctx.actor, action);
    return { id, timeZone };
  }
  const owner = await findOwner(ctx, email);
  const { isPremium } = entitlementOf(owner, ctx.now());
  authorise(ctx.actor, action, { ownerId: owner.id, ownerIsPremium: isPremium });
  return { id: owner.id, timeZone: owner.timeZone };
}
