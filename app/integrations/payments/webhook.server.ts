import type { Stripe } from 'stripe';
import { chargeFacts, chargeToLookUp, withCharge } from '#app/domain/billing/charge.ts';
import { normaliseEvent } from '#app/domain/billing/normalise-event.ts';
import type { BillingEvent } from '#app/domain/billing/billing-event.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Log } from '#app/domain/log.ts';
import { askStripe } from './stripe-errors.server.ts';

/** Age of a signature, in seconds, from which it is taken for a replay. */
const TOLERANCE_SECONDS = 300;

/** What the check needs. */
export interface WebhookOptions {
  stripe: Stripe;
  secret: string | undefined;
  log: Log;
  now(): Date;
}

function checked(options: WebhookOptions, rawBody: string | Uint8Array, signature: string | null): unknown {
  const { stripe, secret, now } = options;
  if (secret === undefined)
    throw new AppError('NOT_CONFIGURED', 'STRIPE_WEBHOOK_SECRET is not set, so events cannot be checked.');
  try {
    return stripe.webhooks.constructEvent(
      rawBody,
      signature ?? '',
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now().getTime(),
    );
  } catch {
    // The library's message tells how to get the signature right; a stranger need not know.
    throw new AppError('INVALID_INPUT', 'The signature is not valid.');
  }
}

/**
 * Checks a webhook and reads it. A dispute does not say whose payment it is about: Stripe is asked for that.
 * @throws AppError INVALID_INPUT, NOT_CONFIGURED, PROVIDER_UNAVAILABLE
 */
export async function readWebhook(
  options: WebhookOptions,
  rawBody: string | Uint8Array,
  signature: string | null,
): Promise<BillingEvent> {
  const event = normaliseEvent(checked(options, rawBody, signature));
  const chargeId = chargeToLookUp(event);
  if (chargeId === null) return event;
  const charge = await askStripe(options.log, 'charges.retrieve', () =>
    options.stripe.charges.retrieve(chargeId),
  );
  return withCharge(event, chargeFacts(charge));
}
