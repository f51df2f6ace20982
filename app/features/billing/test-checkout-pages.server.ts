import type { TestAction } from '#app/domain/billing/billing-schema.ts';
import { dayText, dollars } from '#app/domain/mail/letter.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getTestCheckout, getTestPortal } from './test-checkout.server.ts';
import { ownPath } from './pages.server.ts';

/** Labels of the portal's steps: those of the customer. */
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
    firstCharge: at === null ? 'at once' : dayText({ at, timeZone: ctx.timeZone }),
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
  const state = subscription?.cancelAtPeriodEnd ? `${status}, cancelled` : status;
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
