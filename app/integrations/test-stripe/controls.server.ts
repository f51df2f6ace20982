import type { Plan } from '#app/domain/billing/paid-plan.ts';
import type { TestAction } from '#app/domain/billing/test-actions.ts';

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

/** The till of the test mode: stands where Stripe's own pages stand otherwise. */
export interface TestDesk {
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
