import * as z from 'zod';
import { PLANS } from './plans.ts';

/**
 * What can be done at the portal of the test mode: the customer's own steps, then what time, bank and shop do.
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
  testElsewhere: 'Test payments work on the machine of this server only',
  plan: 'Choose monthly or yearly',
  subscribed: 'This account has a subscription already. You can change or cancel it under "Your plan".',
  noSubscription: 'There is no subscription to manage yet. Choose a plan first.',
  notChangeable: 'The plan cannot be changed now. Reload the page to see why.',
  samePlan: 'You have this plan already.',
  stalePreview: 'The price was worked out a while ago. Look at it again before you agree.',
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

/** Agreeing to a change of plan at the price that was shown. `asOf` is the instant it was worked out for. */
export const changePlanSchema = z.object({
  plan,
  asOf: z.iso.datetime({ error: BILLING_MESSAGES.stalePreview }).transform((text) => new Date(text)),
});

export type ChangePlanInput = z.input<typeof changePlanSchema>;

/** One step at the portal of the test mode. */
export const testActionSchema = z.object({
  action: z.enum(TEST_ACTIONS, { error: BILLING_MESSAGES.testAction }),
});

export type TestActionInput = z.input<typeof testActionSchema>;
