import { FREE_VIAL_LIMIT } from '#app/domain/billing/plans.ts';

/** Shown when the plan has no room for another vial. */
export const PLAN_LIMIT_MESSAGE = `The free plan has room for ${FREE_VIAL_LIMIT} active vials. Use up or discard one, or upgrade to Premium for unlimited vials.`;
