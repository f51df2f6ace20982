import Stripe from 'stripe';
import type { Plan } from '#app/domain/billing/plans.ts';
import type { TestAction } from '#app/domain/billing/billing-schema.ts';
import { receiveWebhook } from '#app/features/billing/webhook-pages.server.ts';
import { openPortal, startCheckout } from '#app/features/billing/billing.server.ts';
import { actAtTestPortal, payTestCheckout } from '#app/features/billing/test-checkout.server.ts';
import type { SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';
import { subscriptionSnapshot } from '#app/domain/billing/normalise-event.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { TestDatabase } from './database.ts';
import type { Person } from './people.ts';

export const WEBHOOK_SECRET = 'whsec_known_to_the_tests';

const signer = new Stripe('sk_test_signs_only');

const idOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

/** A paying user, with the portal where everything else is done. */
export interface Customer {
  person: Person;
  act(...actions: TestAction[]): Promise<void>;
}

/** Goes to the checkout, pays there, and opens the portal. */
export async function buyPlan(person: Person, plan: Plan = 'monthly'): Promise<Customer> {
  const checkout = await startCheckout(person.ctx, { plan });
  await payTestCheckout(person.ctx, idOf(checkout.url));
  const portal = idOf((await openPortal(person.ctx)).url);
  return {
    person,
    async act(...actions) {
      for (const action of actions) await actAtTestPortal(person.ctx, portal, { action });
    },
  };
}

/** Signs a body like Stripe would now. */
export function signed(database: TestDatabase, event: object, options: { at?: Date; secret?: string } = {}) {
  const { at = database.clock.now(), secret = WEBHOOK_SECRET } = options;
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(at.getTime() / 1000);
  return { payload, signature: signer.webhooks.generateTestHeaderString({ payload, timestamp, secret }) };
}

/** Delivers a correctly signed event. */
export function deliver(database: TestDatabase, event: object, ctx = database.ctx()): Promise<void> {
  const { payload, signature } = signed(database, event);
  return receiveWebhook(ctx, payload, signature);
}

/** A payment provider whose subscriptions are whatever a test says. */
export interface Reports {
  /** Stripe's subscriptions as they are now, by id, with their open bills. */
  now: Map<string, { subscription: object; open?: object[] }>;
  /** How often it was asked. */
  asked: number;
  /** Waits after the provider has made up its answer, and before it sends it. */
  beforeAnswer(): Promise<void>;
}

export const newReports = (): Reports => ({
  now: new Map(),
  asked: 0,
  beforeAnswer: () => Promise.resolve(),
});

/** The same context, whose payment provider reports this. */
export function withReports(ctx: Ctx, reports: Reports): Ctx {
  async function getSubscription(id: string): Promise<SubscriptionSnapshot> {
    reports.asked += 1;
    const report = reports.now.get(id);
    if (report === undefined) throw new AppError('NOT_FOUND', 'no such subscription');
    const answer = subscriptionSnapshot(report.subscription, report.open);
    await reports.beforeAnswer();
    return answer;
  }
  return { ...ctx, payments: { ...ctx.payments, getSubscription } };
}
