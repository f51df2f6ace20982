import { dayText, dollars } from '#app/domain/mail/letter.ts';
import type { Entitlement, EntitlementSource } from './plans.ts';
import type { BillingView } from './billing-state.ts';

/** The facts behind the sentences about a user's plan. */
export interface PlanFacts {
  entitlement: Entitlement;
  billing: BillingView;
  trialEndsAt: Date | null;
  creditUntil: Date | null;
  /** Something was charged before; otherwise the next charge is the first one. */
  hasPaid: boolean;
  /** Until when an unpaid subscription keeps premium. */
  graceEndsAt: Date | null;
  nextCharge: { amountCents: number; at: Date | null } | null;
  /** IANA name; dates are shown in it. */
  timeZone: string;
}

const NOTHING_DELETED = 'Nothing was deleted.';

const dayIn = ({ timeZone }: PlanFacts, at: Date | null): string =>
  at === null ? 'an unknown day' : dayText({ at, timeZone });

function renewal(facts: PlanFacts): string {
  const { billing, nextCharge } = facts;
  const day = dayIn(facts, nextCharge?.at ?? billing.currentPeriodEnd);
  if (billing.cancelAtPeriodEnd)
    return `It is cancelled and ends on ${dayIn(facts, billing.endsAt)}. Nothing more is charged. After that you are on the free plan, and nothing is deleted.`;
  const amount = nextCharge === null ? null : dollars(nextCharge.amountCents);
  if (billing.isFreeUntilPeriodEnd)
    return `The ${facts.hasPaid ? 'next' : 'first'} charge${amount ? ` of ${amount}` : ''} is on ${day}.`;
  return amount ? `It renews on ${day} for ${amount}.` : `It renews on ${day}.`;
}

function paid(facts: PlanFacts): string[] {
  const { billing, graceEndsAt } = facts;
  const plan = billing.plan === null ? '' : `, paid ${billing.plan}`;
  if (billing.billingStatus !== 'past_due') return [`You have Premium${plan}.`, renewal(facts)];
  return [
    `You have Premium${plan}, but the last payment failed.`,
    `Premium stays on until ${dayIn(facts, graceEndsAt)}. After that you are on the free plan, and nothing is deleted.`,
  ];
}

const BY_SOURCE: Record<EntitlementSource, (facts: PlanFacts) => string[]> = {
  server: () => [],
  subscription: paid,
  grant: () => ['You have Premium. Complimentary, no end date.'],
  credit: (facts) => [`You have Premium from referrals until ${dayIn(facts, facts.creditUntil)}.`],
  trial: (facts) => {
    const days = facts.entitlement.trialDaysLeft ?? 0;
    return [
      `Your free trial runs for ${days} more ${days === 1 ? 'day' : 'days'}, until ${dayIn(facts, facts.trialEndsAt)}.`,
      'After that you are on the free plan, and nothing is deleted.',
    ];
  },
};

function free(facts: PlanFacts): string[] {
  const { billing, trialEndsAt } = facts;
  const now = 'You are on the free plan: the calculator, and a history that lasts until your session ends.';
  if (billing.billingStatus === 'past_due')
    return ['The last payment failed and Premium has stopped.', NOTHING_DELETED];
  if (billing.billingStatus === 'canceled') return ['Your subscription has ended.', now, NOTHING_DELETED];
  return trialEndsAt === null
    ? [now]
    : [`Your free trial ended on ${dayIn(facts, trialEndsAt)}.`, now, NOTHING_DELETED];
}

/** What the user has now, until when, and what happens then: sentences, most important first. */
export function planTexts(facts: PlanFacts): string[] {
  const { source } = facts.entitlement;
  return source === null ? free(facts) : BY_SOURCE[source](facts);
}
