import { createHmac, randomUUID } from 'node:crypto';
import { AppError, conflict, isAppError } from '#app/domain/errors.ts';
import { nextAttemptUntil } from '#app/domain/reminders/delivery-retry.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import {
  LISTED_DELIVERIES,
  WEBHOOK_LIFE_MS,
  WEBHOOK_PAUSES,
  webhookHost,
  webhookBody,
  WEBHOOK_MESSAGES,
  WEBHOOK_SECRET_PREFIX,
} from '#app/domain/webhooks/webhook.ts';
import type { WebhookDeliveryRecord, WebhookDeliveryResult, WebhookRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import {
  workOffOutbox,
  type OutboxWork,
  type RoundOptions,
} from '#app/platform/jobs/outbox-rounds.server.ts';
import {
  findNotifiedAccount,
  findRecipient,
  type Recipient,
} from '#app/platform/mail/notification-choices.server.ts';
import { tellNews } from '#app/platform/mail/reminder-outbox.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import { deliveryRow } from './webhook-events.server.ts';
import { openSecrets, requireWebhook, webhookOwner } from './webhooks.server.ts';
import { repos } from './repositories.server.ts';

/** A delivery as the owner of its webhook sees it. */
export type WebhookDeliveryView = Pick<
  WebhookDeliveryRecord,
  'id' | 'eventId' | 'type' | 'state' | 'attempts' | 'status' | 'reason' | 'body' | 'sentAt' | 'triedAt'
> & {
  /** When the delivery was created. */
  createdAt: Date;
  /** When it is tried next; null if there is no further attempt. */
  nextTryAt: Date | null;
};

function view(delivery: WebhookDeliveryRecord): WebhookDeliveryView {
  const { id, eventId, type, state, attempts, status, reason, body, sentAt, triedAt, madeAt, nextAt } =
    delivery;
  const shown = { id, eventId, type, state, attempts, status, reason, body, sentAt, triedAt };
  return { ...shown, createdAt: madeAt, nextTryAt: nextAt };
}

/**
 * The last deliveries of a webhook, newest first.
 * @param email the owner, when called from the terminal
 * @throws AppError NOT_FOUND, also for another owner's webhook
 */
export async function listWebhookDeliveries(
  ctx: Ctx,
  webhookId: string,
  email?: string,
): Promise<WebhookDeliveryView[]> {
  const userId = await webhookOwner(ctx, 'webhook.read', email);
  await requireWebhook(ctx, userId, webhookId);
  return (await repos(ctx).webhookDeliveries.list(userId, webhookId, LISTED_DELIVERIES)).map(view);
}

/**
 * Sends a test event now, with a single attempt.
 * @returns the delivery with its result
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED, RATE_LIMITED; FORBIDDEN for an account that cannot send to other servers
 */
export async function sendTestEvent(
  ctx: Ctx,
  webhookId: string,
  email?: string,
): Promise<WebhookDeliveryView> {
  const { id: userId } = await premiumOwner(ctx, 'webhook.send', email);
  await requireWebhook(ctx, userId, webhookId);
  await ctx.throttle.take({ rule: THROTTLE_RULES.webhookTest, who: userId });
  const now = ctx.now();
  const id = `evt_${newId(now)}`;
  const data = { message: 'This is a test event from Vialbook.' };
  const body = webhookBody({ id, type: 'test', at: now, data }, false);
  const row = deliveryRow(now, { id, userId, webhookId, type: 'test', doseId: null, body });
  // Without `nextAt`, no worker picks it up.
  await repos(ctx).webhookDeliveries.createMissing([{ ...row, nextAt: null }]);
  return sendNow(ctx, userId, row._id, now);
}

/**
 * Sends a delivery again now, with the same id and body. If that fails, it is retried for another 24 hours.
 * @returns the delivery with its result
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED, RATE_LIMITED; CONFLICT while it is being sent; FORBIDDEN for an account that
 * cannot send to other servers
 */
export async function sendAgain(
  ctx: Ctx,
  webhookId: string,
  deliveryId: string,
  email?: string,
): Promise<WebhookDeliveryView> {
  const { id: userId } = await premiumOwner(ctx, 'webhook.send', email);
  const delivery = await repos(ctx).webhookDeliveries.find(userId, deliveryId);
  if (delivery?.webhookId !== webhookId) throw new AppError('NOT_FOUND', WEBHOOK_MESSAGES.noDelivery);
  await ctx.throttle.take({ rule: THROTTLE_RULES.webhookTest, who: userId });
  const now = ctx.now();
  const isTest = delivery.type === 'test';
  return sendNow(ctx, userId, deliveryId, isTest ? now : new Date(now.getTime() + WEBHOOK_LIFE_MS));
}

/** How long a manual sending claims a delivery, in ms. */
const LEASE_MS = 5 * MINUTE_MS;

async function sendNow(ctx: Ctx, userId: string, id: string, until: Date): Promise<WebhookDeliveryView> {
  const { webhookDeliveries } = repos(ctx);
  const now = ctx.now();
  const leaseEnd = new Date(now.getTime() + LEASE_MS);
  if (!(await findNotifiedAccount(ctx, userId))?.sendsOutside)
    throw new AppError('FORBIDDEN', WEBHOOK_MESSAGES.off);
  const claimed = await webhookDeliveries.claimAgain(userId, id, {
    now,
    leaseEnd,
    mark: randomUUID(),
    until,
  });
  if (claimed === null) throw conflict('ALREADY_RUNNING', WEBHOOK_MESSAGES.underWay);
  const send = await senderOf(ctx, [claimed]);
  const result = await send(claimed);
  await webhookDeliveries.finish([{ delivery: claimed, result }]);
  return view({ ...claimed, ...result });
}

/**
 * Sends the waiting deliveries to the webhooks of all accounts. A job of the worker; any number of workers may run it at once, and
 * each delivery is claimed by one.
 * @returns how many were processed
 */
export async function deliverWebhooks(
  ctx: Ctx,
  stopping?: AbortSignal,
  options: RoundOptions = {},
): Promise<number> {
  authorise(ctx.actor, 'webhook.work');
  const work: OutboxWork<WebhookDeliveryRecord, WebhookDeliveryResult> = {
    outbox: repos(ctx).webhookDeliveries,
    prepare: (batch) => senderOf(ctx, batch),
    record: (outcomes) => repos(ctx).webhookDeliveries.finish(outcomes),
  };
  return workOffOutbox(ctx, work, options, stopping);
}

/** The owner of deliveries, with their webhooks. */
interface Sender {
  recipient: Recipient;
  webhooks: readonly WebhookRecord[];
}

/** Owners looked up concurrently. */
const WIDTH = 16;

async function senderOf(
  ctx: Ctx,
  batch: readonly WebhookDeliveryRecord[],
): Promise<(delivery: WebhookDeliveryRecord) => Promise<WebhookDeliveryResult>> {
  const senders = new Map<string, Sender>();
  await inParallel([...new Set(batch.map(({ userId }) => userId))], WIDTH, async (userId) => {
    const recipient = await findRecipient(ctx, userId);
    if (!recipient?.sendsOutside) return;
    senders.set(userId, { recipient, webhooks: await repos(ctx).webhooks.list(userId) });
  });
  return (delivery) =>
    deliver(ctx, delivery, senders.get(delivery.userId) ?? null).catch((error: unknown) => {
      // A bug in one delivery must not hold up the others. An AppError means the database is gone.
      if (isAppError(error)) throw error;
      ctx.log.error({ err: error }, 'an event could not be sent to a webhook');
      return retried(ctx, delivery, { status: null, afterMs: null, reason: 'unexpected error' });
    });
}

async function deliver(
  ctx: Ctx,
  delivery: WebhookDeliveryRecord,
  sender: Sender | null,
): Promise<WebhookDeliveryResult> {
  if (sender === null) return dropped(delivery, 'sending is turned off for this account');
  const webhook = sender.webhooks.find(({ id }) => id === delivery.webhookId);
  if (webhook === undefined) return dropped(delivery, 'the webhook was deleted');
  const result = await attempt(ctx, delivery, webhook);
  if (result.state === 'sent' && webhook.failingSince !== null)
    await repos(ctx).webhooks.change(webhook.userId, webhook.id, { failingSince: null });
  if (result.state === 'failed' && delivery.type !== 'test')
    await tellOwner(ctx, sender.recipient, webhook, result);
  return result;
}

async function attempt(
  ctx: Ctx,
  delivery: WebhookDeliveryRecord,
  webhook: WebhookRecord,
): Promise<WebhookDeliveryResult> {
  const secrets = openSecrets(ctx, webhook);
  if (secrets.length === 0)
    return retried(ctx, delivery, { status: null, afterMs: null, reason: WEBHOOK_MESSAGES.lostSecret });
  const { body } = delivery;
  const time = Math.floor(ctx.now().getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  );
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'Vialbook',
    'Vialbook-Signature': [`t=${time}`, ...signatures].join(','),
    ...standardHeaders(delivery, time, secrets),
  };
  const outcome = await ctx.outgoing.post({ account: webhook.userId, endpoint: webhook.url, headers, body });
  if (!outcome.isTaken) return retried(ctx, delivery, outcome);
  const now = ctx.now();
  return { state: 'sent', nextAt: null, sentAt: now, triedAt: now, status: outcome.status, reason: null };
}

/**
 * The headers of the Standard Webhooks specification. Their key is what the secret's base64 stands for; that of earlier secrets
 * is the variant for URLs, which Node reads, too.
 */
function standardHeaders(
  { eventId: id, body }: WebhookDeliveryRecord,
  time: number,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signatures.join(' ') };
}

/** The result of a failed attempt: retried after a growing pause, or given up at the deadline. */
function retried(
  ctx: Ctx,
  { attempts, until, sentAt }: WebhookDeliveryRecord,
  { status, afterMs, reason }: { status: number | null; afterMs: number | null; reason: string },
): WebhookDeliveryResult {
  const now = ctx.now();
  const nextAt = nextAttemptUntil(now, until, {
    attempts,
    requestedPauseMs: afterMs,
    pauses: WEBHOOK_PAUSES,
  });
  return { state: nextAt === null ? 'failed' : 'waiting', nextAt, sentAt, triedAt: now, status, reason };
}

function dropped({ sentAt, triedAt, status }: WebhookDeliveryRecord, reason: string): WebhookDeliveryResult {
  return { state: 'dropped', nextAt: null, sentAt, triedAt, status, reason };
}

/** Tells the owner once for each period of failure. Runs before the result is recorded, so that it is repeated if cut off. */
async function tellOwner(
  ctx: Ctx,
  recipient: Recipient,
  webhook: WebhookRecord,
  { reason }: WebhookDeliveryResult,
): Promise<void> {
  await repos(ctx).webhooks.noteFailing(webhook.userId, webhook.id, ctx.now());
  const { failingSince } = (await repos(ctx).webhooks.find(webhook.userId, webhook.id)) ?? webhook;
  await tellNews(ctx, recipient, {
    key: `webhook:${webhook.id}:${failingSince?.getTime() ?? ''}`,
    message: `Your webhook to ${webhookHost(webhook.url)} could not be reached for 24 hours: ${reason ?? 'no answer'}.`,
    title: 'A webhook is failing',
  });
}
