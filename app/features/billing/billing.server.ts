import {
  billingView,
  liveSubscriptionIds,
  type BillingView,
  type BillingState,
  firstChargeAt,
} from '#app/domain/billing/billing-state.ts';
import { planTexts } from '#app/domain/billing/plan-texts.ts';
import { AppError, isAppError, conflict } from '#app/domain/errors.ts';
import {
  entitlementOf,
  graceEndsAt,
  type Entitlement,
  trialEnd,
  type Plan,
} from '#app/domain/billing/plans.ts';
import type { BillingMode } from '#app/domain/settings/settings.ts';
import type { NextCharge, PlanChangePreview } from '#app/integrations/payments.server.ts';
import { authoriseUser, type Action, authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import {
  BILLING_MESSAGES,
  checkoutSchema,
  type CheckoutInput,
  changePlanSchema,
  type ChangePlanInput,
} from '#app/domain/billing/billing-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { UserRecord } from '#models/index.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { storeReport } from './billing-changes.server.ts';
import { repos } from './repositories.server.ts';

/** The plan and payment status of the signed-in user. */
export interface BillingOverview {
  mode: BillingMode;
  entitlement: Entitlement;
  /** The account has not had its free trial yet. */
  trialAvailable: boolean;
  trialEndsAt: Date | null;
  creditUntil: Date | null;
  /** As reported by the provider; `billingStatus` is `none` for accounts that never subscribed. */
  billing: BillingView;
  card: { brand: string; last4: string; expMonth: number; expYear: number } | null;
  /** The next charge, if there is one and the provider answers. */
  nextCharge: NextCharge | null;
  /** The account has been charged before. */
  hasPaid: boolean;
  /** Until when an unpaid subscription keeps premium. */
  graceEndsAt: Date | null;
  /** When the first charge would be due if a plan were chosen now; null means immediately. */
  firstChargeAt: Date | null;
  /** More than one subscription is running. */
  isDouble: boolean;
  canBuy: boolean;
  canManage: boolean;
}

/** A provider that does not answer must not break the page, which also has the date from stored data. */
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
  const stored = await storedBilling(ctx);
  return { ...stored, nextCharge: await nextChargeOf(ctx, stored.billing) };
}

/**
 * What the signed-in user has now, until when, and what happens then, worded as on the plans page. Uses stored data only,
 * so that pages which just mention the plan do not wait for the payment provider.
 * @throws AppError UNAUTHENTICATED
 */
export async function getPlanTexts(ctx: Ctx): Promise<string[]> {
  return planTexts({ ...(await storedBilling(ctx)), nextCharge: null, timeZone: ctx.timeZone });
}

async function storedBilling(ctx: Ctx): Promise<Omit<BillingOverview, 'nextCharge'>> {
  const { id } = authoriseUser(ctx.actor, 'billing.read');
  const { mode } = ctx.payments;
  const user = await repos(ctx).users.find(id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  const { state } = await repos(ctx).billing.find(id);
  const now = ctx.now();
  const billing = billingView(state);
  const live = liveSubscriptionIds(state).length;
  return {
    mode,
    entitlement: entitlementOf(user, ctx),
    trialAvailable: user.trialStartedAt === null,
    trialEndsAt: user.trialEndsAt,
    creditUntil: user.creditUntil,
    billing,
    card: cardOf(state),
    hasPaid: state.firstPaidAt !== null,
    graceEndsAt: billing.pastDueSince && graceEndsAt(billing.pastDueSince),
    firstChargeAt: firstChargeAt(user, now),
    isDouble: live > 1,
    canBuy: mode !== 'off' && live === 0,
    canManage: mode !== 'off' && user.stripeCustomerId !== null && state.subscriptions.length > 0,
  };
}

/**
 * Starts the signed-in user's free trial, once per account, and keeps the calculations of their running sessions.
 * @throws AppError SWITCHED_OFF, CONFLICT when the account has used its trial
 */
export async function startTrial(ctx: Ctx): Promise<AccountView> {
  const { id } = authoriseUser(ctx.actor, 'trial.start');
  await requireSwitchedOn(ctx, 'trials');
  const now = ctx.now();
  return ctx.transaction(async () => {
    if (!(await repos(ctx).users.startTrial(id, now, trialEnd(now))))
      throw conflict('TRIAL_USED', 'This account has already used its free trial.');
    await repos(ctx).calculations.keep(id);
    const user = await repos(ctx).users.find(id);
    if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
    return accountView(user, ctx);
  });
}

/** Requests within this time open the same checkout, unless the provider reported something in between. */
const ONE_CHECKOUT_MS = 10 * 60_000;

/**
 * The signed-in user's account, if billing is configured.
 * @throws AppError UNAUTHENTICATED, NOT_CONFIGURED, NOT_FOUND
 */
async function payingUser(ctx: Ctx, action: Action): Promise<UserRecord> {
  const { id } = authoriseUser(ctx.actor, action);
  if (ctx.payments.mode === 'off') throw new AppError('NOT_CONFIGURED', BILLING_MESSAGES.off);
  const user = await repos(ctx).users.find(id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return user;
}

function checkoutKey(ctx: Ctx, userId: string, plan: Plan, version: number): string {
  const window = Math.floor(ctx.now().getTime() / ONE_CHECKOUT_MS);
  return `checkout:${userId}:${plan}:${version}:${window}`;
}

/**
 * Opens a checkout for the signed-in user. Nothing changes until the provider reports the payment.
 * @returns where to send the browser
 * @throws AppError INVALID_INPUT, CONFLICT when there is a subscription already, NOT_CONFIGURED, RATE_LIMITED,
 * PROVIDER_UNAVAILABLE
 */
export async function startCheckout(ctx: Ctx, input: CheckoutInput): Promise<{ url: string }> {
  const user = await payingUser(ctx, 'billing.buy');
  const { plan } = parseInput(checkoutSchema, input);
  const { state, version } = await repos(ctx).billing.find(user.id);
  if (liveSubscriptionIds(state).length > 0)
    throw conflict('ALREADY_SUBSCRIBED', BILLING_MESSAGES.subscribed);
  await ctx.throttle.take({ rule: THROTTLE_RULES.checkout, who: user.id });
  const request = {
    plan,
    userId: user.id,
    firstChargeAt: firstChargeAt(user, ctx.now()),
    successUrl: `${ctx.appUrl}/upgrade/return`,
    cancelUrl: `${ctx.appUrl}/upgrade`,
    idempotencyKey: checkoutKey(ctx, user.id, plan, version),
  };
  const { url } = await withCustomer(ctx, user, (customerId) =>
    ctx.payments.createCheckoutSession({ ...request, customerId }),
  );
  return { url };
}

/**
 * Opens the provider's portal for the signed-in user: card, bills, plan, cancellation.
 * @returns where to send the browser
 * @throws AppError CONFLICT when they never bought anything, NOT_CONFIGURED, RATE_LIMITED, PROVIDER_UNAVAILABLE
 */
export async function openPortal(ctx: Ctx): Promise<{ url: string }> {
  const user = await payingUser(ctx, 'billing.manage');
  const { stripeCustomerId: customerId } = user;
  if (customerId === null) throw conflict('NO_SUBSCRIPTION', BILLING_MESSAGES.noSubscription);
  await ctx.throttle.take({ rule: THROTTLE_RULES.checkout, who: user.id });
  try {
    return await ctx.payments.createPortalSession({ customerId, returnUrl: `${ctx.appUrl}/upgrade` });
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    throw conflict('NO_SUBSCRIPTION', BILLING_MESSAGES.noSubscription, { cause: error });
  }
}

/** How long a shown price can be accepted. */
const PREVIEW_MS = 15 * 60_000;

/** The paid subscription whose plan can change. @throws AppError CONFLICT when there is none */
async function changeable(ctx: Ctx, user: UserRecord): Promise<{ subscriptionId: string; plan: Plan }> {
  const view = billingView((await repos(ctx).billing.find(user.id)).state);
  const { subscriptionId, plan, billingStatus, cancelAtPeriodEnd } = view;
  if (subscriptionId === null || plan === null || billingStatus !== 'active' || cancelAtPeriodEnd)
    throw conflict('WRONG_STATE', BILLING_MESSAGES.notChangeable);
  return { subscriptionId, plan };
}

/**
 * The price of changing to the other plan now, as computed by the provider.
 * @throws AppError CONFLICT when nothing can be changed, NOT_CONFIGURED, PROVIDER_UNAVAILABLE
 */
export async function previewPlanChange(ctx: Ctx): Promise<PlanChangePreview> {
  const user = await payingUser(ctx, 'billing.manage');
  const { subscriptionId, plan } = await changeable(ctx, user);
  return ctx.payments.previewPlanChange(subscriptionId, plan === 'monthly' ? 'yearly' : 'monthly');
}

/**
 * Changes the signed-in user's plan at the price that was shown.
 * @throws AppError INVALID_INPUT, CONFLICT when nothing can be changed, the price is too old or the card declines,
 * NOT_CONFIGURED, PROVIDER_UNAVAILABLE
 */
export async function changePlan(ctx: Ctx, input: ChangePlanInput): Promise<void> {
  const user = await payingUser(ctx, 'billing.manage');
  const { plan, asOf } = parseInput(changePlanSchema, input);
  const { subscriptionId, plan: current } = await changeable(ctx, user);
  if (plan === current) throw conflict('ALREADY_SUBSCRIBED', BILLING_MESSAGES.samePlan);
  const age = ctx.now().getTime() - asOf.getTime();
  if (age < 0 || age > PREVIEW_MS) throw conflict('CHANGED_MEANWHILE', BILLING_MESSAGES.stalePreview);
  const preview = { plan, asOf, dueNowCents: 0, creditCents: 0, nextChargeAt: null };
  await ctx.payments.changePlan(subscriptionId, preview);
  await storeReport(ctx, user.id, () => ctx.payments.getSubscription(subscriptionId));
}

/** Creates the account's customer at the payment provider and links it before anything is bought. */
async function makeCustomer(ctx: Ctx, user: UserRecord): Promise<string> {
  const { id, email, stripeCustomerId: known } = user;
  const customerId = await ctx.payments.createCustomer({ userId: id, email });
  return ctx.transaction(async () => {
    const current = await repos(ctx).users.find(id);
    if (current === null) throw new AppError('NOT_FOUND', 'There is no such account.');
    // Another request has created one meanwhile.
    if (current.stripeCustomerId !== null && current.stripeCustomerId !== known)
      return current.stripeCustomerId;
    await repos(ctx).stripeCustomers.link(customerId, id);
    await repos(ctx).users.setStripeCustomer(id, customerId);
    return customerId;
  });
}

/**
 * Calls the payment provider with the account's customer, creating it first if there is none or if the provider no
 * longer knows it.
 * @throws AppError as the call does
 */
async function withCustomer<T>(
  ctx: Ctx,
  user: UserRecord,
  call: (customerId: string) => Promise<T>,
): Promise<T> {
  if (user.stripeCustomerId === null) return call(await makeCustomer(ctx, user));
  try {
    return await call(user.stripeCustomerId);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    return call(await makeCustomer(ctx, user));
  }
}

/** Sends an account's new address to the provider. A failure is logged: bills go to the old one until the next change. */
export async function moveCustomer(ctx: Ctx, user: UserRecord, email: string): Promise<void> {
  authorise(ctx.actor, 'email.confirm');
  if (user.stripeCustomerId === null || ctx.payments.mode === 'off') return;
  try {
    await ctx.payments.updateCustomerEmail(user.stripeCustomerId, email);
  } catch (error) {
    if (!isAppError(error)) throw error;
    ctx.log.warn(
      { userId: user.id, code: error.code },
      'a new address could not be sent to the payment provider',
    );
  }
}

/**
 * Deletes the customer at the provider, with its subscriptions, before the account is deleted. Later events about it
 * concern nobody here.
 * @throws AppError PROVIDER_UNAVAILABLE when the account must stay for another attempt
 */
export async function forgetCustomer(ctx: Ctx, user: UserRecord): Promise<void> {
  authorise(ctx.actor, 'account.purge');
  await repos(ctx).stripeCustomers.unlink(user.id);
  if (user.stripeCustomerId === null) return;
  if (ctx.payments.mode === 'off') {
    ctx.log.warn({ userId: user.id }, 'a customer stays at the payment provider: billing is not configured');
    return;
  }
  await ctx.payments.deleteCustomer(user.stripeCustomerId);
}
