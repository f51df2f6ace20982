export { PastDueNotice } from './past-due-notice.tsx';
export { PlanChange, PlanChoice, PlanPage, PlanStatus, ReturnStatus } from './plan-page.tsx';
export { TestCheckout, TestMode, TestPortal } from './test-mode.tsx';
