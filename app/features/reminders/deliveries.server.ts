import { MINUTE_MS } from '#app/domain/time/durations.ts';
import { createHash, randomUUID } from 'node:crypto';
import { isAppError } from '#app/domain/errors.ts';
import { nextAttempt } from '#app/domain/reminders/delivery-retry.ts';
import { reminderTitle } from '#app/domain/reminders/reminder-texts.ts';
import { reminderMail } from '#app/domain/reminders/reminder-mails.ts';
import { MailError } from '#app/integrations/mail.server.ts';
import type { PushOutcome } from '#app/integrations/push.server.ts';
import type { DeliveryRecord, DeliveryResult, PushSubscriptionRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { createActTokens } from './reminder-links.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import { findRecipient } from '#app/platform/mail/recipient.server.ts';

interface DeliverOptions {
  /** Deliveries per batch. */
  batch?: number;
  /** Deliveries sent concurrently. */
  width?: number;
  /** How long a worker's claim lasts, in ms; longer than the slowest delivery can take. */
  leaseMs?: number;
}

/**
 * Sends the waiting deliveries of all accounts. A job of the worker; any number of workers may run it at once, and each
 * delivery is claimed by one.
 * @returns how many were processed
 */
export async function deliverReminders(
  ctx: Ctx,
  stopping?: AbortSignal,
  { batch = 64, width = 16, leaseMs = 5 * MINUTE_MS }: DeliverOptions = {},
): Promise<number> {
  authorise(ctx.actor, 'reminder.work');
  let done = 0;
  while (stopping?.aborted !== true) {
    const now = ctx.now();
    const until = new Date(now.getTime() + leaseMs);
    const claimed = await ctx.repos.deliveries.claim(now, until, randomUUID(), batch);
    if (claimed.length === 0) break;
    await deliverBatch(ctx, claimed, width, stopping);
    done += claimed.length;
  }
  return done;
}

async function deliverBatch(
  ctx: Ctx,
  batch: readonly DeliveryRecord[],
  width: number,
  stopping?: AbortSignal,
): Promise<void> {
  const states = await ownerStates(ctx, batch, width);
  const wanted = batch.filter((one) => reasonToDrop(one, states.get(one.userId)) === null);
  const tokens = await createActTokens(ctx, wanted);
  const record = deliveryRecorder(ctx);
  await inParallel(batch, width, async (delivery) => {
    if (stopping?.aborted === true) return ctx.repos.deliveries.release(delivery, ctx.now());
    const state = states.get(delivery.userId);
    const reason = reasonToDrop(delivery, state);
    const result =
      reason !== null || state?.box == null
        ? droppedResult(ctx, delivery, reason ?? '')
        : await deliver(ctx, delivery, state.box, tokens.get(delivery.id) ?? null);
    return record({ delivery, result });
  });
}

/** What a delivery needs to know about its owner. */
interface OwnerState {
  /** Null for an account that no longer gets reminders. */
  box: Destination | null;
  /** Ids of doses that are still pending. */
  pending: ReadonlySet<string>;
}

async function ownerStates(ctx: Ctx, deliveries: readonly DeliveryRecord[], width: number) {
  const states = new Map<string, OwnerState>();
  await inParallel([...new Set(deliveries.map(({ userId }) => userId))], width, async (userId) => {
    states.set(userId, await ownerState(ctx, userId, deliveries));
  });
  return states;
}

async function ownerState(
  ctx: Ctx,
  userId: string,
  deliveries: readonly DeliveryRecord[],
): Promise<OwnerState> {
  const doseIds = deliveries.filter((one) => one.userId === userId).flatMap(({ doseId }) => doseId ?? []);
  const recipient = await findRecipient(ctx, userId);
  const pending = await ctx.repos.doseReminding.pendingAmong(userId, doseIds);
  if (recipient === null) return { box: null, pending };
  const subscriptions = new Map(recipient.subscriptions.map((one) => [one.id, one]));
  return { box: { email: recipient.email, subscriptions }, pending };
}

/** Why a delivery is dropped; null when it is to be sent. */
function reasonToDrop({ doseId }: DeliveryRecord, state: OwnerState | undefined): string | null {
  if (state?.box == null) return 'the account no longer receives reminders';
  if (doseId !== null && !state.pending.has(doseId)) return 'the dose has been logged in the meantime';
  return null;
}

/** Where deliveries to an account go. */
interface Destination {
  email: string;
  subscriptions: ReadonlyMap<string, PushSubscriptionRecord>;
}

/**
 * Sends one delivery. The caller records the result at once: only a delivery cut off in between is sent again, under
 * the same Message-ID, topic and tag, so that it replaces the first.
 * @param token secret of its link, or null
 */
async function deliver(
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
  await ctx.repos.pushSubscriptions.delete(delivery.userId, subscription.id);
  return GONE;
}

/** How long a push service keeps a message for a browser that is offline, in seconds. */
const PUSH_LIFE_SECONDS = 2 * 3600;

/** The message for the browser's service worker. */
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

/**
 * At most 32 characters, as the protocol demands. Pushes about one dose share a topic, so that a later one replaces an
 * earlier one.
 */
const pushTopic = (about: string) => createHash('sha256').update(about).digest('base64url').slice(0, 32);

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

type Outcome = PushOutcome | { kind: 'dropped'; reason: string };

const GONE: Outcome = { kind: 'dropped', reason: 'the push subscription has ended' };

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

function droppedResult(ctx: Ctx, delivery: DeliveryRecord, reason: string): DeliveryResult {
  return resultOf(delivery, { kind: 'dropped', reason }, ctx.now());
}

/** A defect in one delivery must not hold up the others. An AppError means the database is gone, so that goes on up. */
function unexpected(ctx: Ctx, error: unknown): Outcome {
  if (isAppError(error)) throw error;
  ctx.log.error({ err: error }, 'a reminder could not be sent');
  return { kind: 'later', afterMs: null, reason: 'unexpected error' };
}

/** A delivery and its result. */
interface RecordedDelivery {
  delivery: DeliveryRecord;
  result: DeliveryResult;
}

/** Records a result. Resolves once it is stored. */
type RecordDelivery = (entry: RecordedDelivery) => Promise<void>;

/**
 * Records results at once; those that arrive while a write is running go together into the next one. No result waits
 * for another delivery, and many deliveries need few writes.
 */
function deliveryRecorder(ctx: Ctx): RecordDelivery {
  let waiting: RecordedDelivery[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function write(): Promise<void> {
    const entries = waiting;
    [waiting, next] = [[], null];
    await ctx.repos.deliveries.finish(entries);
    const sent = entries.filter(({ result }) => result.state === 'sent').map(({ delivery }) => delivery);
    await ctx.repos.reminders.markSent(sent.map(({ userId, reminderId: id }) => ({ userId, id })));
  }

  return (entry) => {
    waiting.push(entry);
    next ??= last = last.catch(() => undefined).then(write);
    return next;
  };
}
