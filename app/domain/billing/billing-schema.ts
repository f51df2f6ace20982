import * as z from 'zod';
import { PLANS } from './plans.ts';

/**
 * The actions of the test mode's portal: the customer's own, then events caused by time, bank or operator.
 */
export const TEST_ACTIONS = [
  'cancel',
  'resume',
  'switch-plan',
  'new-card',
  'retry-payment',
  'card-declines',
  'card-expires',
  'end-period',
  'refund',
  'dispute',
  'win-dispute',
] as const;

export type TestAction = (typeof TEST_ACTIONS)[number];

export const BILLING_MESSAGES = {
  off: 'Billing is not configured on this server',
  testElsewhere: 'Test payments only work on the machine that runs this server',
  plan: 'Choose monthly or yearly',
  subscribed: 'This account already has a subscription. You can change or cancel it under "Your plan".',
  noSubscription: 'There is no subscription to manage yet. Choose a plan first.',
  notChangeable: 'The plan cannot be changed now. Reload the page to see why.',
  samePlan: 'You already have this plan.',
  stalePreview: 'This price is out of date. Please check the new price and confirm again.',
  testAction: 'Choose one of the steps on the page',
} as const;

const plan = z.enum(PLANS, { error: BILLING_MESSAGES.plan });

/** Going to the checkout. */
export const checkoutSchema = z.object({ plan });

export type CheckoutInput = z.input<typeof checkoutSchema>;

/** The buttons of the plans page. */
export const upgradeSchema = z
  .object({ intent: z.enum(['trial', 'checkout', 'portal']).default('trial'), plan: plan.optional() })
  .refine((form) => form.intent !== 'checkout' || form.plan !== undefined, {
    error: BILLING_MESSAGES.plan,
    path: ['plan'],
  });

/** Confirming a change of plan at the price shown. `asOf` is the instant the price was computed for. */
export const changePlanSchema = z.object({
  plan,
  asOf: z.iso.datetime({ error: BILLING_MESSAGES.stalePreview }).transform((text) => new Date(text)),
});

export type ChangePlanInput = z.input<typeof changePlanSchema>;

/** One action in the test mode's portal. */
export const testActionSchema = z.object({
  action: z.enum(TEST_ACTIONS, { error: BILLING_MESSAGES.testAction }),
});

export type TestActionInput = z.input<typeof testActionSchema>;

/** The buttons of the test checkout. */
export const testCardSchema = z.object({ card: z.enum(['works', 'declines']).default('works') });
