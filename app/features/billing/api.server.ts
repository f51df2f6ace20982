import * as z from 'zod';
import { startTrial, openPortal, startCheckout } from './billing.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import { accountShape, EXAMPLE_USER } from '#app/platform/api/account-shape.ts';
import { checkoutSchema } from '#app/domain/billing/billing-schema.ts';

const startFreeTrial = operation({
  id: 'startTrial',
  method: 'POST',
  path: '/api/billing/trial',
  tag: 'Billing',
  summary: 'Start the free trial',
  description:
    '14 days, once per account, without a card. What the running sign-ins hold is kept from then on.',
  access: 'user',
  response: z.object({ user: accountShape }),
  errors: ['CONFLICT'],
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
    'Gives the address of the page where it is paid. The account becomes premium when the payment provider has confirmed the payment. 409 with a subscription already; 503 where billing is not configured.',
  access: 'user',
  body: checkoutSchema,
  response: pageShape,
  errors: ['CONFLICT', 'NOT_CONFIGURED', 'PROVIDER_UNAVAILABLE'],
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
    'Gives the address of the page for card, bills, change of plan and cancellation. It opens without a sign-in for a short while, so it is not kept. 409 for who never bought anything.',
  access: 'user',
  sessionOnly: true,
  holdsSecret: true,
  response: pageShape,
  errors: ['CONFLICT', 'NOT_CONFIGURED', 'PROVIDER_UNAVAILABLE'],
  example: { body: {}, data: { url: 'https://billing.stripe.com/p/session/live_a1b2c3' } },
  run: async (ctx) => openPortal(ctx),
});

export const billingOperations = [startFreeTrial, createCheckoutSession, createPortalSession];
