export {
  cancelClosedSubscriptions,
  endPremium,
  endSubscriptions,
  shiftRenewals,
} from './billing-changes.server.ts';
export { forgetCustomer, moveCustomer } from './billing.server.ts';
export { changePlan, getPlanTexts, previewPlanChange } from './billing.server.ts';
export { actAtTestPortal, getTestCheckout, getTestPortal, payTestCheckout } from './test-checkout.server.ts';
export { deliverHere } from './webhook-pages.server.ts';
