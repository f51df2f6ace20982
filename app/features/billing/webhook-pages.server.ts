import type { ActionFunctionArgs } from '@remix-run/node';
import { isAppError, STATUS } from '#app/domain/errors.ts';
import { receiveWebhook } from './webhook-events.server.ts';
import { visitorContext } from '#app/platform/http/session.server.ts';

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });

/** Only events are taken here. */
export function refuseWebhookRead(): Response {
  return answer(405, { error: 'METHOD_NOT_ALLOWED' }, { Allow: 'POST' });
}

/**
 * Takes an event of the payment provider, by its bytes. No session is looked at. Whatever is not 200 is sent again
 * by the provider.
 */
export async function takeWebhook({ request, context }: ActionFunctionArgs): Promise<Response> {
  try {
    const body = new Uint8Array(await request.arrayBuffer());
    await receiveWebhook(visitorContext(request, context), body, request.headers.get('Stripe-Signature'));
    return answer(200, { received: true });
  } catch (error) {
    if (!isAppError(error)) throw error;
    return answer(STATUS[error.code], { error: error.code, message: error.message });
  }
}
