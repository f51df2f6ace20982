import * as z from 'zod';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { WEBHOOK_EVENT_LABELS } from '#app/domain/webhooks/webhook.ts';
import type { WebhookDeliveryView } from './webhook-deliveries.server.ts';
import type { DeliveryLine, WebhookLine } from './webhook-pages.tsx';
import type { WebhookView } from './webhooks.server.ts';

/** The forms on a webhook's page. */
export const webhookActSchema = z.object({
  intent: z.enum(['test', 'again'], { error: 'Choose what to do' }),
  deliveryId: z.string().max(200).optional(),
});

/** A webhook as its owner's page shows it, with times in their zone. */
export function webhookLine(webhook: WebhookView, timeZone: string): WebhookLine {
  const { id, url, events, createdAt, oldSecretUntil, failingSince } = webhook;
  return {
    id,
    url,
    events,
    created: shownInstant(createdAt, timeZone),
    oldSecretUntil: oldSecretUntil && shownInstant(oldSecretUntil, timeZone),
    failingSince: failingSince && shownInstant(failingSince, timeZone),
  };
}

/** The result of a delivery in words. */
function outcomeOf({ state, status, reason, attempts }: WebhookDeliveryView): string {
  if (state === 'sent') return `Sent, answered ${status ?? 'nothing'}`;
  if (state === 'dropped') return `Not sent: ${reason ?? ''}`;
  if (state === 'failed') return `Given up: ${reason ?? ''}`;
  return attempts === 0
    ? 'Waiting'
    : `Tried ${attempts === 1 ? 'once' : `${attempts} times`}: ${reason ?? ''}`;
}

/** A delivery as the page of its webhook shows it, with times in its owner's zone. */
export function deliveryLine(delivery: WebhookDeliveryView, timeZone: string): DeliveryLine {
  const { id, eventId, type, state, body, createdAt, nextTryAt } = delivery;
  return {
    id,
    eventId,
    what: WEBHOOK_EVENT_LABELS[type],
    at: shownInstant(createdAt, timeZone),
    outcome: outcomeOf(delivery),
    isBad: state === 'failed',
    next: nextTryAt === null || state !== 'waiting' ? null : shownInstant(nextTryAt, timeZone),
    body,
  };
}
