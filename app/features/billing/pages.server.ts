import { redirect } from '@remix-run/node';
import { currentApp } from '#app/platform/http/session.server.ts';
import { PAYMENT_HOSTS } from '#app/platform/http/addresses.ts';
import { upgradeSchema, BILLING_MESSAGES, type TestAction } from '#app/domain/billing/billing-schema.ts';
import { openPortal, startCheckout, startTrial, getBilling, type BillingOverview } from './billing.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { planTexts } from '#app/domain/billing/plan-texts.ts';
import type { Plan } from '#app/domain/billing/plans.ts';
import { dayText, dollars } from '#app/domain/mail/letter.ts';
import { getTestCheckout, getTestPortal } from './test-checkout.server.ts';

/** The texts of the plans page. */
interface UpgradeView {
  isPremium: boolean;
  /** The provider has reported a subscription that is paid, or free until its first charge. */
  isPaid: boolean;
  isPastDue: boolean;
  /** What the account has now, until when, and what happens then. */
  words: string[];
  card: string | null;
  trialAvailable: boolean;
  isTest: boolean;
  isDouble: boolean;
  canManage: boolean;
  /** The plan that a running subscription can be changed to. */
  changeTo: Plan | null;
  /** When a plan can be chosen: when its first charge would be due. */
  choice: { firstCharge: string } | null;
  /** Why nothing can be bought from here: test payments are off for other machines. */
  unavailable: string | null;
}

/** The plans page and the page after the checkout. */
export async function upgradeView(ctx: Ctx): Promise<UpgradeView> {
  const overview = await getBilling(ctx);
  const { mode, entitlement, canBuy, canManage, billing, isDouble, trialAvailable } = overview;
  return {
    isPremium: entitlement.isPremium,
    isPaid: billing.billingStatus === 'active',
    isPastDue: billing.billingStatus === 'past_due',
    words: planTexts({ ...overview, timeZone: ctx.timeZone }),
    card: canManage ? cardText(overview) : null,
    trialAvailable,
    isTest: mode === 'test',
    isDouble,
    canManage,
    changeTo: changeTo(overview),
    choice: canBuy ? { firstCharge: firstChargeText(overview, ctx.timeZone) } : null,
    unavailable: mode === 'off' ? BILLING_MESSAGES.testElsewhere : null,
  };
}

function cardText({ card }: BillingOverview): string | null {
  if (card === null) return null;
  const brand = card.brand.charAt(0).toUpperCase() + card.brand.slice(1);
  return `${brand} ending in ${card.last4}, valid until ${String(card.expMonth).padStart(2, '0')}/${card.expYear}`;
}

function firstChargeText({ firstChargeAt: at, entitlement }: BillingOverview, timeZone: string): string {
  if (at === null) return 'The first charge is due immediately.';
  const days = entitlement.source === 'trial' ? 'your free trial' : 'your free days';
  return `The first charge is on ${dayText({ at, timeZone })}, after ${days}. You can cancel before then and pay nothing.`;
}

function changeTo({ billing, canManage }: BillingOverview): Plan | null {
  const { billingStatus, cancelAtPeriodEnd, plan } = billing;
  if (!canManage || billingStatus !== 'active' || cancelAtPeriodEnd || plan === null) return null;
  return plan === 'monthly' ? 'yearly' : 'monthly';
}

/** Handles the buttons of the plans page: start the trial, go to the checkout, go to the portal. */
export async function submitUpgrade(request: Request, ctx: Ctx) {
  return submit(request, upgradeSchema, (input) => run(ctx, input));
}

type UpgradeForm = (typeof upgradeSchema)['_output'];

async function run(ctx: Ctx, { intent, plan }: UpgradeForm) {
  if (intent === 'trial') {
    await startTrial(ctx);
    return done('/dashboard', 'Your free trial has started');
  }
  if (intent === 'checkout' && plan) return redirectToPayment((await startCheckout(ctx, { plan })).url);
  return redirectToPayment((await openPortal(ctx)).url);
}

/**
 * Redirects the browser to a page of the payment provider: a path of this site or, with Stripe configured, one of
 * Stripe's pages. Anything else is a bug.
 */
export function redirectToPayment(address: string) {
  const path = ownPath(address);
  if (path !== null) return redirect(path);
  const { protocol, host } = new URL(address);
  const isStripes = protocol === 'https:' && PAYMENT_HOSTS.includes(host);
  if (currentApp().settings.BILLING === 'stripe' && isStripes) return redirect(address);
  throw new Error(`A payment page at ${host} is not expected.`);
}

/** The path of an address of this site; null for any other address. */
function ownPath(address: string): string | null {
  const { origin, pathname, search } = new URL(address);
  return origin === currentApp().settings.APP_URL ? `${pathname}${search}` : null;
}

/** The price of a change of plan as texts. */
interface PlanChangeView {
  plan: Plan;
  asOf: string;
  dueNow: string;
  credit: string | null;
  nextCharge: string | null;
}

/** @param preview the price that the provider has computed */
export function planChangeView(
  preview: { plan: Plan; asOf: Date; dueNowCents: number; creditCents: number; nextChargeAt: Date | null },
  timeZone: string,
): PlanChangeView {
  const { plan, asOf, dueNowCents, creditCents, nextChargeAt: at } = preview;
  return {
    plan,
    asOf: asOf.toISOString(),
    dueNow: dollars(dueNowCents),
    credit: creditCents > 0 ? dollars(creditCents) : null,
    nextCharge: at && dayText({ at, timeZone }),
  };
}

/** Labels of the customer's own steps at the portal. */
const OWN_STEPS: Partial<Record<TestAction, string>> = {
  cancel: 'Cancel at the end of the period',
  resume: 'Undo the cancellation',
  'switch-plan': 'Change to the other plan',
  'new-card': 'Use a new card',
  'retry-payment': 'Pay the open bill',
};

const OTHER_STEPS: Partial<Record<TestAction, string>> = {
  'card-declines': 'Decline the card from now on',
  'card-expires': 'Make the card expire this month',
  'end-period': 'End the period now',
  refund: 'Refund the last payment',
  dispute: 'Dispute the last payment',
  'win-dispute': 'Win the dispute',
};

/** The label of a step. */
export function stepText(action: TestAction): string {
  return OWN_STEPS[action] ?? OTHER_STEPS[action] ?? action;
}

function stepsOf(actions: readonly TestAction[], names: Partial<Record<TestAction, string>>) {
  return actions.flatMap((action) => (names[action] ? [{ action, label: names[action] }] : []));
}

/** What the page of a checkout in test mode shows. */
export async function testCheckoutView(ctx: Ctx, id: string) {
  const { plan, amountCents, firstChargeAt: at, isOpen, cancelUrl } = await getTestCheckout(ctx, id);
  return {
    plan,
    price: `${dollars(amountCents)} ${plan === 'monthly' ? 'a month' : 'a year'}`,
    firstCharge: at === null ? 'immediately' : dayText({ at, timeZone: ctx.timeZone }),
    isOpen,
    cancelPath: ownPath(cancelUrl) ?? '/upgrade',
  };
}

/** What the page of the portal in test mode shows. */
export async function testPortalView(ctx: Ctx, id: string) {
  const portal = await getTestPortal(ctx, id);
  const { subscription, lastPayment, creditCents, cardDeclines, actions, returnUrl } = portal;
  const day = (at: Date) => dayText({ at, timeZone: ctx.timeZone });
  const status = subscription?.status.replace('_', ' ');
  const endsWithPeriod = subscription?.cancelAtPeriodEnd === true && status !== 'canceled';
  const state = endsWithPeriod ? `${status}, canceled from the end of the period` : status;
  const payment = lastPayment && [
    `${dollars(lastPayment.amountCents)} on ${day(lastPayment.at)}`,
    ...(lastPayment.isRefunded ? ['refunded'] : []),
    ...(lastPayment.isDisputed ? ['disputed'] : []),
  ];
  const facts: [string, string][] = [
    ['Subscription', subscription ? `${subscription.plan}, ${state}` : 'none'],
    ...(subscription ? [['Period ends', day(subscription.currentPeriodEnd)] as [string, string]] : []),
    ['Card', cardDeclines ? 'is declined' : 'works'],
    ['Credit', dollars(creditCents)],
    ['Last payment', payment ? payment.join(', ') : 'none'],
  ];
  return {
    facts,
    own: stepsOf(actions, OWN_STEPS),
    others: stepsOf(actions, OTHER_STEPS),
    returnPath: ownPath(returnUrl) ?? '/upgrade',
  };
}
