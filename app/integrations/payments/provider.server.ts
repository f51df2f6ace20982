import type { Plan } from '#app/domain/billing/plans.ts';
import type { TestAction } from '#app/domain/billing/billing-schema.ts';
import type { BillingEvent, SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';
import type { BillingMode } from '#app/domain/settings/settings.ts';

/** A checkout of the simulated Stripe, as its page shows it. */
export interface TestCheckout {
  id: string;
  /** The owner; nobody else may act on the checkout. */
  userId: string;
  plan: Plan;
  amountCents: number;
  /** Null if the charge is due immediately. */
  firstChargeAt: Date | null;
  isOpen: boolean;
  cancelUrl: string;
}

/** The portal of the simulated Stripe, as its page shows it. */
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
  /** Deducted from later charges, US cents. */
  creditCents: number;
  lastPayment: { amountCents: number; at: Date; isRefunded: boolean; isDisputed: boolean } | null;
  /** The actions that are possible now, in the order of {@link TEST_ACTIONS}. */
  actions: TestAction[];
}

/** What a user does on Stripe's own pages, in test mode. */
export interface TestPages {
  /** @returns null for an unknown id */
  findCheckout(sessionId: string): Promise<TestCheckout | null>;
  /**
   * Pays with a valid card. The events are delivered before this returns. A second call changes nothing.
   * @returns where to send the browser
   * @throws AppError NOT_FOUND
   */
  pay(sessionId: string): Promise<string>;
  /** @returns null for an unknown id */
  findPortal(portalId: string): Promise<TestPortalView | null>;
  /** Performs an action; its events are delivered before this returns. @throws AppError NOT_FOUND, CONFLICT if impossible now */
  act(portalId: string, action: TestAction): Promise<void>;
}

/** What a user wants to buy, and where they go afterwards. */
export interface CheckoutRequest {
  plan: Plan;
  /** Our account; included in every event of the subscription. */
  userId: string;
  /** Stripe's customer of that account, see {@link Payments.createCustomer}. */
  customerId: string;
  /** When the first charge is due, see `firstChargeAt`; null charges immediately. */
  firstChargeAt: Date | null;
  successUrl: string;
  cancelUrl: string;
  /** Requests with the same key and contents open only one checkout. */
  idempotencyKey: string;
}

/** What a plan change costs at `asOf`. Amounts are US cents. */
export interface PlanChangePreview {
  plan: Plan;
  /** Charged immediately. */
  dueNowCents: number;
  /** Unused part of what is already paid, deducted from later charges. */
  creditCents: number;
  /** When the new period ends and the next charge is due. */
  nextChargeAt: Date | null;
  /** Pass it to {@link Payments.changePlan} to be charged exactly this. */
  asOf: Date;
}

/** The next charge of an active subscription, after credit. */
export interface NextCharge {
  amountCents: number;
  at: Date | null;
}

/**
 * The payment provider. Every call except `verifyWebhook` uses the network.
 * All throw AppError: NOT_CONFIGURED when billing is off, PROVIDER_UNAVAILABLE when the provider does not answer,
 * NOT_FOUND for an unknown id, CONFLICT when the provider refuses (a declined card, an ended subscription).
 */
export interface Payments {
  readonly mode: BillingMode;
  /** What users do on Stripe's own pages; null outside test mode. */
  readonly testPages: TestPages | null;

  /** Creates the customer of an account; repeated calls return the same one. @returns Stripe's id */
  createCustomer(account: { userId: string; email: string }): Promise<string>;
  /** Call after the account's email has changed. */
  updateCustomerEmail(customerId: string, email: string): Promise<void>;
  /** Ends all subscriptions of a customer immediately and deletes the customer. Unknown customers are ignored. */
  deleteCustomer(customerId: string): Promise<void>;

  /** @returns where to send the browser */
  createCheckoutSession(request: CheckoutRequest): Promise<{ id: string; url: string }>;
  /** The customer's own page at Stripe: card, invoices, plan, cancellation. */
  createPortalSession(request: { customerId: string; returnUrl: string }): Promise<{ url: string }>;

  /** The current state of a subscription. */
  getSubscription(subscriptionId: string): Promise<SubscriptionSnapshot>;
  /** Ends a subscription immediately, without a refund. One that has ended stays as it is. */
  cancelNow(subscriptionId: string): Promise<void>;
  /** Postpones the next charge, for credit days of a paying user. */
  postponeRenewal(request: { subscriptionId: string; until: Date; idempotencyKey: string }): Promise<void>;
  previewPlanChange(subscriptionId: string, plan: Plan): Promise<PlanChangePreview>;
  changePlan(subscriptionId: string, preview: PlanChangePreview): Promise<void>;
  /** Null if the subscription will not be charged again. */
  nextCharge(subscriptionId: string): Promise<NextCharge | null>;

  /**
   * Verifies that a webhook comes from Stripe, and reads it.
   * @param rawBody the received bytes, unchanged
   * @param signature the `Stripe-Signature` header
   * @throws AppError INVALID_INPUT when the signature is missing, wrong or older than five minutes
   */
  verifyWebhook(rawBody: string | Uint8Array, signature: string | null): Promise<BillingEvent>;
}
