import type { Plan } from '#app/domain/billing/plans.ts';
import type { TestAction } from '#app/domain/billing/billing-schema.ts';
import type { BillingEvent, SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';
import type { BillingMode } from '#app/domain/settings/settings.ts';

/** A checkout of the test Stripe, as its page shows it. */
export interface TestCheckout {
  id: string;
  /** Whose checkout it is; nobody else may act on it. */
  userId: string;
  plan: Plan;
  amountCents: number;
  /** Null when the charge is due at once. */
  firstChargeAt: Date | null;
  isOpen: boolean;
  cancelUrl: string;
}

/** The portal of the test Stripe, as its page shows it. */
export interface TestPortalView {
  id: string;
  userId: string;
  returnUrl: string;
  /** The newest subscription. */
  subscription: {
    plan: Plan;
    status: string;
    currentPeriodEnd: Date;
    cancelAtPeriodEnd: boolean;
  } | null;
  cardDeclines: boolean;
  /** Taken off later charges, US cents. */
  creditCents: number;
  lastPayment: { amountCents: number; at: Date; isRefunded: boolean; isDisputed: boolean } | null;
  /** The actions that mean something now, in the order of {@link TEST_ACTIONS}. */
  actions: TestAction[];
}

/** What a person does at Stripe's own pages, in test mode. */
export interface TestPages {
  /** @returns null for an unknown id */
  findCheckout(sessionId: string): Promise<TestCheckout | null>;
  /**
   * Pays by a card that works. The events are delivered before this returns. A second time changes nothing.
   * @returns where to send the browser
   * @throws AppError NOT_FOUND
   */
  pay(sessionId: string): Promise<string>;
  /** @returns null for an unknown id */
  findPortal(portalId: string): Promise<TestPortalView | null>;
  /** Does one thing; the events are delivered before this returns. @throws AppError NOT_FOUND, CONFLICT when it makes no sense now */
  act(portalId: string, action: TestAction): Promise<void>;
}

/** What somebody wants to buy, and where they go afterwards. */
export interface CheckoutRequest {
  plan: Plan;
  /** Our account; comes back in every event of the subscription. */
  userId: string;
  /** Stripe's customer of that account, see {@link Payments.createCustomer}. */
  customerId: string;
  /** When the first charge is due, see `firstChargeAt`; null charges at once. */
  firstChargeAt: Date | null;
  successUrl: string;
  cancelUrl: string;
  /** Two requests with the same key and the same contents open one checkout. */
  idempotencyKey: string;
}

/** A change of plan as it would be charged if made at `asOf`. Amounts are US cents. */
export interface PlanChangePreview {
  plan: Plan;
  /** Charged at once. */
  dueNowCents: number;
  /** Left over from what is paid already; taken off later charges. */
  creditCents: number;
  /** When the new period ends and the next charge is due. */
  nextChargeAt: Date | null;
  /** Pass it to {@link Payments.changePlan}, so that exactly this is charged. */
  asOf: Date;
}

/** The next charge of a running subscription, credit taken off. */
export interface NextCharge {
  amountCents: number;
  at: Date | null;
}

/**
 * The payment provider. Every call but those of `verifyWebhook` goes out over the network.
 * All throw AppError: NOT_CONFIGURED when billing is off, PROVIDER_UNAVAILABLE when the provider does not answer,
 * NOT_FOUND when it does not know the id, CONFLICT when it refuses (a declined card, a subscription that has ended).
 */
export interface Payments {
  readonly mode: BillingMode;
  /** What a person does at Stripe's own pages; null outside test mode. */
  readonly testPages: TestPages | null;

  /** Makes the customer of an account; the same one however often it is asked. @returns Stripe's id */
  createCustomer(account: { userId: string; email: string }): Promise<string>;
  /** After a change of address. */
  updateCustomerEmail(customerId: string, email: string): Promise<void>;
  /** Ends all subscriptions of a customer at once and forgets who it was. Unknown ones are gone already. */
  deleteCustomer(customerId: string): Promise<void>;

  /** @returns where to send the browser */
  createCheckoutSession(request: CheckoutRequest): Promise<{ id: string; url: string }>;
  /** The customer's own page at Stripe: card, bills, plan, cancellation. */
  createPortalSession(request: { customerId: string; returnUrl: string }): Promise<{ url: string }>;

  /** A subscription as it is now. */
  getSubscription(subscriptionId: string): Promise<SubscriptionSnapshot>;
  /** Ends a subscription at once, without a refund. One that has ended is answered as it is. */
  cancelNow(subscriptionId: string): Promise<SubscriptionSnapshot>;
  /** Moves the next charge, for credit days of somebody who pays already. */
  postponeRenewal(request: {
    subscriptionId: string;
    until: Date;
    idempotencyKey: string;
  }): Promise<SubscriptionSnapshot>;
  previewPlanChange(subscriptionId: string, plan: Plan): Promise<PlanChangePreview>;
  changePlan(subscriptionId: string, preview: PlanChangePreview): Promise<SubscriptionSnapshot>;
  /** Null for a subscription that will not be charged again. */
  nextCharge(subscriptionId: string): Promise<NextCharge | null>;

  /**
   * Checks that a webhook comes from Stripe, and reads it.
   * @param rawBody the bytes as they came
   * @param signature the `Stripe-Signature` header
   * @throws AppError INVALID_INPUT when the signature is missing, wrong or older than five minutes
   */
  verifyWebhook(rawBody: string | Uint8Array, signature: string | null): Promise<BillingEvent>;
}
