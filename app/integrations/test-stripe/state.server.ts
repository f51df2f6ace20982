import type { Plan } from '#app/domain/billing/paid-plan.ts';

/** Everything the test Stripe remembers. Times are Unix seconds, amounts US cents; all of it is JSON. */
export interface World {
  version: 1;
  webhookSecret: string;
  /** Second of the last event; the next step's events come later, so that their order can be told. */
  lastEvent: number;
  customers: Record<string, TestCustomer>;
  sessions: Record<string, TestSession>;
  portals: Record<string, TestPortal>;
  subscriptions: Record<string, TestSubscription>;
  invoices: Record<string, TestInvoice>;
  charges: Record<string, TestCharge>;
  /** Events that have not been taken yet. */
  outbox: PendingEvent[];
  /** Answers by idempotency key. */
  answers: Record<string, KeptAnswer>;
}

export interface TestCustomer {
  id: string;
  userId: string;
  /** What was paid and not used, to be taken off later charges. */
  credit: number;
  card: TestCard;
}

/** A card that does what it was told to. */
export interface TestCard {
  id: string;
  declines: boolean;
  expMonth: number;
  expYear: number;
}

export interface TestSession {
  id: string;
  customer: string;
  userId: string;
  plan: Plan;
  trialEnd: number | null;
  successUrl: string;
  cancelUrl: string;
  status: 'open' | 'complete';
  subscription: string | null;
}

export interface TestPortal {
  id: string;
  customer: string;
  returnUrl: string;
}

export type TestSubscriptionStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled';

export interface TestSubscription {
  id: string;
  customer: string;
  userId: string;
  plan: Plan;
  status: TestSubscriptionStatus;
  created: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  endedAt: number | null;
  latestInvoice: string | null;
}

export interface TestInvoice {
  id: string;
  customer: string;
  subscription: string;
  created: number;
  total: number;
  amountDue: number;
  status: 'open' | 'paid' | 'void';
  attempts: number;
  charge: string | null;
}

export interface TestCharge {
  id: string;
  customer: string;
  amount: number;
  amountRefunded: number;
  created: number;
  dispute: 'none' | 'open' | 'won';
}

/** An event of Stripe, as it is sent. */
export interface TestEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  type: string;
  livemode: false;
  data: { object: object; previous_attributes?: object };
}

export interface PendingEvent {
  event: TestEvent;
  attempts: number;
}

export interface KeptAnswer {
  /** What was asked, to notice a key that is used again for something else. */
  fingerprint: string;
  status: number;
  body: unknown;
}

/** The world before anything happened. */
export function emptyWorld(webhookSecret: string): World {
  return {
    version: 1,
    webhookSecret,
    lastEvent: 0,
    customers: {},
    sessions: {},
    portals: {},
    subscriptions: {},
    invoices: {},
    charges: {},
    outbox: [],
    answers: {},
  };
}

/** The entry under an id that came from outside: names such as `constructor` are no ids. */
export function entryOf<T>(entries: Record<string, T>, id: string | undefined): T | undefined {
  return id !== undefined && Object.hasOwn(entries, id) ? entries[id] : undefined;
}
