import {
  billingView,
  liveSubscriptionIds,
  type BillingView,
  type BillingState,
} from '#app/domain/billing/billing-state.ts';
import { firstChargeAt } from '#app/domain/billing/charge-dates.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { entitlementOf, graceEndsAt, type Entitlement } from '#app/domain/billing/plans.ts';
import type { BillingMode } from '#app/domain/settings/settings.ts';
import type { NextCharge } from '#app/integrations/payments.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** Where the signed-in user's plan and payment stand. */
export interface BillingOverview {
  mode: BillingMode;
  entitlement: Entitlement;
  /** The account has not had its free trial yet. */
  trialAvailable: boolean;
  trialEndsAt: Date | null;
  creditUntil: Date | null;
  /** What the provider has told; `billingStatus` is `none` for who never subscribed. */
  billing: BillingView;
  card: { brand: string; last4: string; expMonth: number; expYear: number } | null;
  /** The next charge, when there will be one and the provider answers. */
  nextCharge: NextCharge | null;
  /** Something was charged before. */
  hasPaid: boolean;
  /** Until when an unpaid subscription keeps premium. */
  graceEndsAt: Date | null;
  /** When the first charge would be due if a plan were chosen now; null is at once. */
  firstChargeAt: Date | null;
  /** More than one subscription runs: bought twice. */
  isDouble: boolean;
  canBuy: boolean;
  canManage: boolean;
}

/** A provider that does not answer must not take the page away: the date is known without it. */
async function nextChargeOf(ctx: Ctx, view: BillingView): Promise<NextCharge | null> {
  const { subscriptionId, billingStatus, cancelAtPeriodEnd } = view;
  if (subscriptionId === null || billingStatus !== 'active' || cancelAtPeriodEnd) return null;
  try {
    return await ctx.payments.nextCharge(subscriptionId);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return null;
  }
}

function cardOf({ card }: BillingState): BillingOverview['card'] {
  if (card === null) return null;
  const { brand, last4, expMonth, expYear } = card;
  return { brand, last4, expMonth, expYear };
}

/** @throws AppError UNAUTHENTICATED */
export async function getBilling(ctx: Ctx): Promise<BillingOverview> {
  const { id } = authoriseUser(ctx.actor, 'billing.read');
  const { mode } = ctx.payments;
  const user = await ctx.repos.users.findById(id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  const { state } = await ctx.repos.billing.find(id);
  const now = ctx.now();
  const billing = billingView(state);
  const live = liveSubscriptionIds(state).length;
  return {
    mode,
    entitlement: entitlementOf(user, now),
    trialAvailable: user.trialStartedAt === null,
    trialEndsAt: user.trialEndsAt,
    creditUntil: user.creditUntil,
    billing,
    card: cardOf(state),
    nextCharge: await nextChargeOf(ctx, billing),
    hasPaid: state.firstPaidAt !== null,
    graceEndsAt: billing.pastDueSince && graceEndsAt(billing.pastDueSince),
    firstChargeAt: firstChargeAt(user, now),
    isDouble: live > 1,
    canBuy: mode !== 'off' && live === 0,
    canManage: mode !== 'off' && user.stripeCustomerId !== null && state.subscriptions.length > 0,
  };
}
