import type { BillingEvent, ChargeFacts } from './billing-event.ts';
import { chargeObject } from './stripe-objects.ts';

/** A payment with what is beside it in Stripe's object. */
export interface ChargeReading extends ChargeFacts {
  customerId: string | null;
  /** Sum of all its refunds so far, US cents. */
  refundedCents: number;
}

/** A charge object of Stripe, as it is known here. @throws ZodError when it is none */
export function chargeFacts(object: unknown): ChargeReading {
  const { id, amount, amount_refunded: refundedCents, created, customer } = chargeObject.parse(object);
  return { id, amountCents: amount, paidAt: created, customerId: customer, refundedCents };
}

/** The payment that must be looked up because the event does not say whose it is; else null. */
export function chargeToLookUp(event: BillingEvent): string | null {
  if (event.kind === 'dispute' && event.dispute.charge === null) return event.dispute.chargeId;
  return event.kind === 'refund-failed' && event.customerId === null ? event.chargeId : null;
}

/** The same event, with the payment that was looked up. */
export function withCharge(event: BillingEvent, reading: ChargeReading): BillingEvent {
  const { customerId, refundedCents: _refunded, ...charge } = reading;
  if (event.kind !== 'dispute') return { ...event, customerId };
  return { ...event, customerId, dispute: { ...event.dispute, charge } };
}
