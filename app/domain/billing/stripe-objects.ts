import * as z from 'zod';
import { STRIPE_STATUSES } from './billing-event.ts';

/**
 * The fields of Stripe's objects that are read here, in the shapes of the present API and of those before 2025-03-31:
 * the version of a webhook is that of the account that registered it, not that of our package.
 * Source: Stripe API reference, objects Subscription, Invoice, Charge, Dispute, Refund, Card, PaymentMethod.
 */

const nullish = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

/** An id, or the object in place of its id when it was expanded. */
const reference = z.union([z.string().min(1), z.object({ id: z.string().min(1) }).transform(({ id }) => id)]);

const instant = z
  .number()
  .int()
  .min(0)
  .transform((seconds) => new Date(seconds * 1000));

const cents = z.number().int();
const metadata = nullish(z.record(z.string(), z.string()));
const interval = nullish(z.object({ recurring: nullish(z.object({ interval: z.string() })) }));

export const subscriptionObject = z.object({
  id: z.string().min(1),
  customer: reference,
  // A state that Stripe may add one day gives no premium by itself.
  status: z.enum(STRIPE_STATUSES).catch('incomplete'),
  cancel_at_period_end: z.boolean().optional().default(false),
  cancel_at: nullish(instant),
  current_period_end: nullish(instant),
  metadata,
  items: z.object({
    data: z.array(z.object({ current_period_end: nullish(instant), price: interval })),
  }),
});

export const invoiceObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  amount_due: cents,
  amount_paid: cents,
  subscription: nullish(reference),
  parent: nullish(
    z.object({ subscription_details: nullish(z.object({ subscription: nullish(reference), metadata })) }),
  ),
});

export const chargeObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  amount: cents,
  amount_refunded: cents,
  created: instant,
});

export const disputeObject = z.object({
  id: z.string().min(1),
  charge: reference,
  amount: cents,
  status: z.string(),
});

export const refundObject = z.object({ id: z.string().min(1), amount: cents, charge: nullish(reference) });

export const checkoutObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  client_reference_id: nullish(z.string()),
  subscription: nullish(reference),
});

const cardFields = {
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number().int().min(1).max(12),
  exp_year: z.number().int().min(2000).max(9999),
};

export const paymentMethodObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  card: nullish(z.object(cardFields)),
});

export const cardObject = z.object({ id: z.string().min(1), customer: nullish(reference), ...cardFields });

/** The envelope of every event. */
export const eventObject = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(100),
  created: instant,
  data: z.object({
    object: z.record(z.string(), z.unknown()),
    previous_attributes: nullish(z.record(z.string(), z.unknown())),
  }),
});

export type StripeEventObject = z.output<typeof eventObject>;
