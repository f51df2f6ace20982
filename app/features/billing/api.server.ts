import * as z from 'zod';
import { checkoutSchema } from '#app/domain/billing/billing-schema.ts';
import { openPortal, startCheckout } from './billing.server.ts';
import { operation } from '#app/platform/api/operation.ts';

const pageShape = z.object({ url: z.string() });

export const createCheckoutSession = operation({
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

export const createPortalSession = operation({
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

export const billingOperations = [createCheckoutSession, createPortalSession];
