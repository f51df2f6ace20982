export { chargeFacts, chargeToLookUp, withCharge, type ChargeReading } from './charge.ts';
export {
  type BillingEvent,
  type BillingFact,
  type CardFacts,
  type ChargeFacts,
  type DisputeFacts,
  type InvoiceFacts,
  type StripeStatus,
  type SubscriptionSnapshot,
} from './event.ts';
export {
  lastMonths,
  startOfMonth,
  subscriptionRates,
  type EventCounts,
  type SubscriptionRates,
} from './figures.ts';
export { firstChargeAt } from './first-charge.ts';
export { firstPayment, type FirstPayment } from './first-payment.ts';
export { ISSUE_STATUSES, nextIssue, type IssueRecord, type IssueStatus } from './issue-record.ts';
export { issuesOf, type IssueFact } from './issues.ts';
export {
  ledgerRow,
  SUBSCRIPTION_EVENT_TYPES,
  type LedgerRow,
  type SubscriptionEventType,
} from './ledger-row.ts';
export { normaliseEvent, STRIPE_EVENT_TYPES } from './normalise.ts';
export { billingNotice, type BillingNotice } from './notices.ts';
export { PLAN_INTERVAL, planOfInterval, PLANS, type Plan } from './plan.ts';
export { planWords, type PlanFacts } from './plan-words.ts';
export { closeSubscriptions, isTied, readEvent, reduceBilling, subscriptionsToCancel } from './reduce.ts';
export { shiftedRenewal, type ShiftVerdict } from './shifted-renewal.ts';
export { subscriptionSnapshot } from './snapshot.ts';
export {
  NO_BILLING,
  type BillingState,
  type SubscriptionFact,
  type Trouble,
  type TroubleType,
} from './state.ts';
export { TEST_ACTIONS, type TestAction } from './test-actions.ts';
export { billingView, liveSubscriptionIds, type BillingView } from './view.ts';
