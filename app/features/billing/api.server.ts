import * as z from 'zod';
import { startTrial, openPortal, startCheckout } from './billing.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import { accountShape, EXAMPLE_USER } from '#app/platform/api/shapes.ts';
import { checkoutSchema } from '#app/domain/billing/billing-schema.ts';

const startFreeTrial = operation({
  id: 'startTrial',
  method: 'POST',
  path: '/api/billing/trial',
  tag: 'Billing',
  summary: 'Start the free trial',
  description: '14 days, once per account, no card needed. Calculations of running sessions are then kept.',
  access: 'user',
  response: z.object({ user: accountShape }),
  errors: ['TRIAL_USED'],
  example: { body: {}, data: { user: EXAMPLE_USER } },
  run: async (ctx) => ({ user: await startTrial(ctx) }),
});

const pageShape = z.object({ url: z.string() });

const createCheckoutSession = operation({
  id: 'createCheckoutSession',
  method: 'POST',
  path: '/api/stripe/create-checkout-session',
  tag: 'Billing',
  summary: 'Buy Premium',
  description:
    'Returns the address of the checkout page. The account becomes Premium once the payment provider confirms the payment. 409 if there already is a subscription; 503 if billing is not configured.',
  access: 'user',
  body: checkoutSchema,
  response: pageShape,
  errors: ['ALREADY_SUBSCRIBED', 'PAYMENT_REFUSED', 'NOT_CONFIGURED', 'PROVIDER_UNAVAILABLE'],
  noTool: 'it returns a page of the payment provider, which a person must open',
  example: {
    body: { plan: 'yearly' },
    data: { url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3' },
  },
  run: async (ctx, { body }) => startCheckout(ctx, body),
});

const createPortalSession = operation({
  id: 'createPortalSession',
  method: 'POST',
  path: '/api/stripe/create-portal-session',
  tag: 'Billing',
  summary: 'Manage the subscription',
  description:
    'Returns the address of the page for card, bills, plan changes and cancellation. It works without signing in for a short time, so do not store it. 409 if nothing was ever bought.',
  access: 'user',
  sessionOnly: true,
  holdsSecret: true,
  response: pageShape,
  errors: ['NO_SUBSCRIPTION', 'PAYMENT_REFUSED', 'NOT_CONFIGURED', 'PROVIDER_UNAVAILABLE'],
  example: { body: {}, data: { url: 'https://billing.stripe.com/p/session/live_a1b2c3' } },
  run: async (ctx) => openPortal(ctx),
});

export const billingOperations = [startFreeTrial, createCheckoutSession, createPortalSession];
