import { createHash } from 'node:crypto';
import {
  type WebhookEvent,
  type WebhookType,
  webhookBody,
  type EventFacts,
  deliveryKeptMs,
  WEBHOOK_LIFE_MS,
} from '#app/domain/webhooks/webhook.ts';
import type { WebhookDeliveryRow } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { findNotifiedAccount } from '#app/platform/mail/notification-choices.server.ts';
import { repos } from './repositories.server.ts';

/** Only letters and digits, because ids also appear in URLs. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The id is derived from the event itself, so that an event noticed twice is recorded once. */
const eventIdOf = (userId: string, { type, key }: EventFacts) => `evt_${digest(`${userId}:${type}:${key}`)}`;

/**
 * Records events about one record, as a part of the act that changes it: what other programs see of it, and nothing is sent
 * unless the act is kept.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function recordChange(
  ctx: Ctx,
  ownerId: string,
  types: readonly WebhookEvent[],
  data: EventFacts['data'],
): Promise<void> {
  authorise(ctx.actor, 'webhook.record', { ownerId });
  await recordChanges(
    ctx,
    ownerId,
    types.map((type) => ({ type, data })),
  );
}

/** The same for changes of several things. */
export async function recordChanges(
  ctx: Ctx,
  ownerId: string,
  changes: readonly Pick<EventFacts, 'type' | 'data'>[],
): Promise<void> {
  authorise(ctx.actor, 'webhook.record', { ownerId });
  const at = ctx.now();
  // An act that runs again has left nothing behind, so each event is new.
  const events = changes.map((change) => ({ ...change, key: newId(at), at, doseId: null }));
  await recordEvents(ctx, ownerId, events);
}

/**
 * Creates the deliveries of events to the webhooks that subscribed to them. Repeating it does nothing, so an interrupted
 * caller can simply start again.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function recordEvents(ctx: Ctx, ownerId: string, events: readonly EventFacts[]): Promise<void> {
  authorise(ctx.actor, 'webhook.record', { ownerId });
  if (events.length === 0) return;
  const webhooks = await repos(ctx).webhooks.list(ownerId);
  const subscribed = events.filter(({ type }) => webhooks.some((webhook) => webhook.events.includes(type)));
  const account = subscribed.length === 0 ? null : await findNotifiedAccount(ctx, ownerId);
  if (!account?.sendsOutside) return;
  const { discreet } = account.choices;
  const rows: WebhookDeliveryRow[] = [];
  for (const event of subscribed) {
    const id = eventIdOf(ownerId, event);
    const body = webhookBody({ ...event, id }, discreet);
    for (const webhook of webhooks.filter(({ events: chosen }) => chosen.includes(event.type)))
      rows.push(deliveryRow(ctx.now(), { ...event, id, body, userId: ownerId, webhookId: webhook.id }));
  }
  await repos(ctx).webhookDeliveries.createMissing(await withinLimit(ctx, ownerId, rows));
}

/** Limits the events of an account, so that it cannot be used to flood someone else's server. */
async function withinLimit(ctx: Ctx, who: string, rows: WebhookDeliveryRow[]): Promise<WebhookDeliveryRow[]> {
  const deliveries: WebhookDeliveryRow[] = [];
  for (const row of rows) {
    const { refusal } = await ctx.throttle.count({ rule: THROTTLE_RULES.webhookEvent, who });
    if (refusal === null) deliveries.push(row);
  }
  if (deliveries.length < rows.length)
    ctx.log.warn({ userId: who, dropped: rows.length - deliveries.length }, 'too many webhook events');
  return deliveries;
}

/** An event addressed to one webhook. */
interface AddressedEvent {
  /** The event's. */
  id: string;
  userId: string;
  webhookId: string;
  type: WebhookType;
  doseId: string | null;
  body: string;
}

/** A new delivery of an event to a webhook, due now. */
export function deliveryRow(now: Date, event: AddressedEvent): WebhookDeliveryRow {
  const { id: eventId, userId, webhookId, type, doseId, body } = event;
  return {
    _id: `whd_${digest(`${eventId}:${webhookId}`)}`,
    userId,
    webhookId,
    eventId,
    type,
    doseId,
    body,
    madeAt: now,
    state: 'waiting',
    nextAt: now,
    claim: null,
    attempts: 0,
    sentAt: null,
    reason: null,
    until: new Date(now.getTime() + WEBHOOK_LIFE_MS),
    triedAt: null,
    status: null,
    expiresAt: new Date(now.getTime() + deliveryKeptMs(type)),
  };
}
