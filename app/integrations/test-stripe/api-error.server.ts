/** An answer of Stripe that is no success. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { error: { type: string; code?: string; message: string; param?: string } };

  constructor(status: number, error: Refusal['body']['error']) {
    super(error.message);
    this.name = 'Refusal';
    this.status = status;
    this.body = { error };
  }
}

/** Stripe's answer for an id that it does not know. */
export function missing(what: string, id: string): Refusal {
  return new Refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
  });
}

/** Stripe's answer to a request that cannot be met. */
export function invalid(message: string, param?: string): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) });
}

/** Stripe's answer when the card does not pay. */
export function declined(): Refusal {
  return new Refusal(402, {
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card was declined.',
  });
}
