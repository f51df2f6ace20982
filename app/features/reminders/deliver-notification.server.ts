import { isAppError } from '#app/domain/errors.ts';
import { nextAttempt } from '#app/domain/reminders/delivery-retry.ts';
import { reminderTitle } from '#app/domain/reminders/reminder-texts.ts';
import { reminderMail } from '#app/domain/reminders/reminder-mails.ts';
import { MailError } from '#app/integrations/mail.server.ts';
import type { PushOutcome } from '#app/integrations/push.server.ts';
import type { DeliveryRecord, DeliveryResult, PushSubscriptionRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { pushTopic } from './reminder-ids.server.ts';

/** How long a push service keeps a message for a browser that is away: then it is old news. In seconds. */
const PUSH_LIFE_SECONDS = 2 * 3600;

/** What a delivery needs to go out. */
export interface Destination {
  email: string;
  subscriptions: ReadonlyMap<string, PushSubscriptionRecord>;
}

type Outcome = PushOutcome | { kind: 'dropped'; reason: string };

const GONE: Outcome = { kind: 'dropped', reason: 'the subscription is over' };

/** What the service worker of the browser shows. */
function pushPayload(delivery: DeliveryRecord, token: string | null): string {
  const { type, message, isDiscreet, doseId, reminderId } = delivery;
  return JSON.stringify({
    title: reminderTitle(type, isDiscreet),
    body: message,
    tag: doseId ?? reminderId,
    requireInteraction: type === 'overdue',
    url: token === null ? '/dashboard/reminders' : `/act/${token}`,
  });
}

async function sendPush(
  ctx: Ctx,
  delivery: DeliveryRecord,
  box: Destination,
  token: string | null,
): Promise<Outcome> {
  const subscription = box.subscriptions.get(delivery.subscriptionId ?? '');
  if (subscription === undefined) return GONE;
  const outcome = await ctx.push.send(subscription, {
    payload: pushPayload(delivery, token),
    topic: pushTopic(delivery.doseId ?? delivery.reminderId),
    ttlSeconds: PUSH_LIFE_SECONDS,
    urgency: delivery.type === 'upcoming' ? 'normal' : 'high',
  });
  if (outcome.kind !== 'gone') return outcome;
  await ctx.repos.pushSubscriptions.remove(delivery.userId, subscription.id);
  return GONE;
}

async function sendMail(
  ctx: Ctx,
  delivery: DeliveryRecord,
  box: Destination,
  token: string | null,
): Promise<Outcome> {
  const { type, message, isDiscreet, id } = delivery;
  const title = isDiscreet ? 'A reminder from Vialbook' : reminderTitle(type);
  const mail = reminderMail({ appUrl: ctx.appUrl, title, message, token });
  const messageId = `<${id}@${new URL(ctx.appUrl).hostname}>`;
  try {
    await ctx.mailer.send({ to: box.email, ...mail, messageId });
    return { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const reason = error.message;
    return error.temporary ? { kind: 'later', afterMs: null, reason } : { kind: 'refused', reason };
  }
}

function resultOf(delivery: DeliveryRecord, outcome: Outcome, now: Date): DeliveryResult {
  const done = { nextAt: null, sentAt: null, reason: null };
  if (outcome.kind === 'sent') return { ...done, state: 'sent', sentAt: now };
  if (outcome.kind === 'gone') return { ...done, state: 'dropped' };
  const { reason } = outcome;
  if (outcome.kind !== 'later')
    return { ...done, state: outcome.kind === 'dropped' ? 'dropped' : 'failed', reason };
  const nextAt = nextAttempt(now, delivery.madeAt, delivery.attempts, outcome.afterMs);
  return { ...done, state: nextAt === null ? 'failed' : 'waiting', nextAt, reason };
}

/** A defect in one delivery must not hold up the others; without a database nothing can be sent or recorded. */
function unexpected(ctx: Ctx, error: unknown): Outcome {
  if (isAppError(error)) throw error;
  ctx.log.error({ err: error }, 'a reminder could not be sent');
  return { kind: 'later', afterMs: null, reason: 'something unexpected went wrong' };
}

/** The result of a delivery that is not worth sending any more. */
export function droppedResult(ctx: Ctx, delivery: DeliveryRecord, reason: string): DeliveryResult {
  return resultOf(delivery, { kind: 'dropped', reason }, ctx.now());
}

/**
 * Sends one delivery. Its result is to be recorded at once: only what is cut off between the two is ever sent again,
 * and then under the same Message-ID, topic and tag, so that it replaces the first.
 * @param token secret of the link that comes with it; null for none
 */
export async function deliver(
  ctx: Ctx,
  delivery: DeliveryRecord,
  box: Destination,
  token: string | null,
): Promise<DeliveryResult> {
  const send = delivery.channel === 'push' ? sendPush : sendMail;
  const outcome = await send(ctx, delivery, box, token).catch((error: unknown) => unexpected(ctx, error));
  const result = resultOf(delivery, outcome, ctx.now());
  const { id: deliveryId, channel } = delivery;
  if (result.state === 'failed')
    ctx.log.warn({ deliveryId, channel, reason: result.reason }, 'reminder not delivered');
  return result;
}
