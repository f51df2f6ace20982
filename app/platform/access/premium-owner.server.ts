import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import { authorise, authorisePremiumUser, type Action } from './authorise.server.ts';
import type { Ctx } from './context.server.ts';
import { findOwner } from './owner.server.ts';

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
