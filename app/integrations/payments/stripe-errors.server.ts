import type { Stripe } from 'stripe';
import { AppError } from '#app/domain/errors.ts';
import type { Log } from '#app/domain/log.ts';

const UNAVAILABLE = 'The payment provider does not answer. Please try again in a moment.';

/** The part of Stripe's errors that is read; they are told apart by `type`, which survives bundling. */
type Failure = Pick<Stripe.errors.StripeError, 'type' | 'code' | 'statusCode' | 'requestId' | 'message'>;

function isStripeFailure(error: unknown): error is Failure {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
}

/** What a failure of Stripe means to the caller. */
function toAppError(failure: Failure): AppError {
  if (failure.code === 'resource_missing')
    return new AppError('NOT_FOUND', 'The payment provider does not know this subscription.');
  if (failure.type === 'StripeCardError') return new AppError('CONFLICT', 'The card was declined.');
  if (failure.type === 'StripeInvalidRequestError' || failure.type === 'StripeIdempotencyError')
    return new AppError('CONFLICT', 'The payment provider refused this. Reload the page and try again.');
  return new AppError('PROVIDER_UNAVAILABLE', UNAVAILABLE);
}

/**
 * Makes a call to Stripe. Its failures are logged by code and request id, never with what was sent.
 * @throws AppError
 */
export async function askStripe<T>(log: Log, what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isStripeFailure(error)) throw error;
    const { type, code, statusCode, requestId } = error;
    log.warn(
      { call: what, type, code, statusCode, requestId },
      'the payment provider refused or did not answer',
    );
    throw toAppError(error);
  }
}
