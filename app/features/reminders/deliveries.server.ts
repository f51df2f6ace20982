import { createHash } from 'node:crypto';
import { isAppError } from '#app/domain/errors.ts';
import { nextAttempt } from '#app/domain/reminders/delivery-retry.ts';
import { reminderTitle } from '#app/domain/reminders/reminder-texts.ts';
import { linkLabel, reminderMail } from '#app/domain/reminders/reminder-mails.ts';
import { MailError } from '#app/integrations/mail.server.ts';
import type { PushOutcome } from '#app/integrations/push.server.ts';
import type {
  DeliveryRecord,
  DeliveryResult,
  NtfyTopicRecord,
  PushSubscriptionRecord,
} from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { postToTopic } from './ntfy.server.ts';
import { REMINDERS_PATH } from './paths.ts';
import { createActTokens } from './reminder-links.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import {
  workOffOutbox,
  type OutboxWork,
  type RoundOptions,
} from '#app/platform/jobs/outbox-rounds.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import { findRecipient } from '#app/platform/mail/notification-choices.server.ts';
import { repos } from './repositories.server.ts';

/**
 * Sends the waiting deliveries of all accounts. A job of the worker; any number of workers may run it at once, and each
 * delivery is claimed by one.
 * @returns how many were processed
 */
export async function deliverReminders(
  ctx: Ctx,
  stopping?: AbortSignal,
  options: RoundOptions = {},
): Promise<number> {
  authorise(ctx.actor, 'reminder.work');
  const work: OutboxWork<DeliveryRecord, DeliveryResult> = {
    outbox: repos(ctx).deliveries,
    prepare: (batch) => senderOf(ctx, batch),
    async record(outcomes) {
      await repos(ctx).deliveries.finish(outcomes);
      const sent = outcomes.filter(({ result }) => result.state === 'sent').map(({ delivery }) => delivery);
      await repos(ctx).reminders.markSent(sent.map(({ userId, reminderId: id }) => ({ userId, id })));
    },
  };
  return workOffOutbox(ctx, work, options, stopping);
}

/** Owners looked up concurrently. */
const WIDTH = 16;

/** Sends one delivery of a batch, if it is still worth sending. */
async function senderOf(
  ctx: Ctx,
  batch: readonly DeliveryRecord[],
): Promise<(delivery: DeliveryRecord) => Promise<DeliveryResult>> {
  const states = await ownerStates(ctx, batch);
  const current = batch.filter((one) => reasonToDrop(one, states.get(one.userId)) === null);
  const tokens = await createActTokens(ctx, current);
  return async (delivery) => {
    const state = states.get(delivery.userId);
    const reason = reasonToDrop(delivery, state);
    return reason !== null || state?.destination == null
      ? droppedResult(ctx, delivery, reason ?? '')
      : deliver(ctx, delivery, state.destination, tokens.get(delivery.id) ?? null);
  };
}

/** What a delivery needs to know about its owner. */
interface OwnerState {
  /** Null for an account that no longer gets reminders. */
  destination: Destination | null;
  /** Pending doses by id, with when each was last moved. */
  pending: ReadonlyMap<string, Date | null>;
}

async function ownerStates(ctx: Ctx, deliveries: readonly DeliveryRecord[]) {
  const states = new Map<string, OwnerState>();
  await inParallel([...new Set(deliveries.map(({ userId }) => userId))], WIDTH, async (userId) => {
    states.set(userId, await ownerState(ctx, userId, deliveries));
  });
  return states;
}

async function ownerState(
  ctx: Ctx,
  userId: string,
  deliveries: readonly DeliveryRecord[],
): Promise<OwnerState> {
  const doseIds = deliveries.filter((one) => one.userId === userId).flatMap(dosesOf);
  const recipient = await findRecipient(ctx, userId);
  const pending = await repos(ctx).doseReminding.pendingAmong(userId, doseIds);
  if (recipient === null) return { destination: null, pending };
  const subscriptions = new Map(recipient.subscriptions.map((one) => [one.id, one]));
  return { destination: { email: recipient.email, subscriptions, ntfy: recipient.ntfy }, pending };
}

/** The doses that a delivery is about. */
const dosesOf = ({ doseId, doseIds }: Pick<DeliveryRecord, 'doseId' | 'doseIds'>): readonly string[] =>
  doseIds ?? (doseId === null ? [] : [doseId]);

/** Why a delivery is dropped; null to send it, also if only some of its doses still need it. */
function reasonToDrop(delivery: DeliveryRecord, state: OwnerState | undefined): string | null {
  if (state?.destination == null) return 'the account no longer receives reminders';
  const ids = dosesOf(delivery);
  if (ids.length === 0) return null;
  const pending = ids.map((id) => state.pending.get(id)).filter((movedAt) => movedAt !== undefined);
  if (pending.length === 0) return 'the dose has been logged in the meantime';
  const isCurrent = pending.some((movedAt) => movedAt === null || movedAt < delivery.madeAt);
  return isCurrent ? null : 'the dose has been moved in the meantime';
}

/** Where deliveries to an account go. */
interface Destination {
  email: string;
  subscriptions: ReadonlyMap<string, PushSubscriptionRecord>;
  ntfy: NtfyTopicRecord | null;
}

/**
 * Sends one delivery. The caller records the result immediately; only a delivery that is cut off in between is sent again,
 * with the same Message-ID, topic and tag, so that it replaces the first.
 * @param token secret of its link, or null
 */
async function deliver(
  ctx: Ctx,
  delivery: DeliveryRecord,
  destination: Destination,
  token: string | null,
): Promise<DeliveryResult> {
  const send = SENDERS[delivery.channel];
  const outcome = await send(ctx, delivery, destination, token).catch((error: unknown) =>
    unexpected(ctx, error),
  );
  const result = resultOf(delivery, outcome, ctx.now());
  const { id: deliveryId, channel } = delivery;
  if (result.state === 'failed')
    ctx.log.warn({ deliveryId, channel, reason: result.reason }, 'reminder not delivered');
  return result;
}

async function sendPush(
  ctx: Ctx,
  delivery: DeliveryRecord,
  destination: Destination,
  token: string | null,
): Promise<Outcome> {
  const subscription = destination.subscriptions.get(delivery.subscriptionId ?? '');
  if (subscription === undefined) return GONE;
  const outcome = await ctx.push.send(subscription, {
    account: delivery.userId,
    payload: pushPayload(delivery, token),
    topic: pushTopic(delivery.reminderId),
    ttlSeconds: PUSH_LIFE_SECONDS,
    urgency: delivery.type === 'upcoming' ? 'normal' : 'high',
  });
  if (outcome.kind !== 'gone') return outcome;
  await repos(ctx).pushSubscriptions.delete(delivery.userId, subscription.id);
  return GONE;
}

/** How long a push service keeps a message for a browser that is offline, in seconds. */
const PUSH_LIFE_SECONDS = 2 * 3600;

/** The title of a delivery; in discreet mode only the product's name. */
const titleOf = ({ type, title, isDiscreet }: DeliveryRecord): string =>
  title == null || isDiscreet ? reminderTitle(type, isDiscreet) : title;

/** The message for the browser's service worker. */
function pushPayload(delivery: DeliveryRecord, token: string | null): string {
  const { type, message, reminderId } = delivery;
  return JSON.stringify({
    title: titleOf(delivery),
    body: message,
    tag: reminderId,
    requireInteraction: type === 'overdue',
    url: token === null ? '/dashboard/reminders' : `/act/${token}`,
  });
}

/**
 * At most 32 characters, as the protocol requires. Pushes of one reminder share a topic, so that a later stage replaces an
 * earlier one.
 */
const pushTopic = (about: string) => createHash('sha256').update(about).digest('base64url').slice(0, 32);

async function sendMail(
  ctx: Ctx,
  delivery: DeliveryRecord,
  destination: Destination,
  token: string | null,
): Promise<Outcome> {
  const { message, isDiscreet, id } = delivery;
  const title = isDiscreet ? 'A reminder from Vialbook' : titleOf(delivery);
  const mail = reminderMail({ appUrl: ctx.appUrl, title, message, token, doses: dosesOf(delivery).length });
  const messageId = `<${id}@${new URL(ctx.appUrl).hostname}>`;
  try {
    await ctx.mailer.send({ to: destination.email, ...mail, messageId });
    return { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const reason = error.message;
    return error.temporary ? { kind: 'later', afterMs: null, reason } : { kind: 'refused', reason };
  }
}

/** A later message of the same reminder replaces an earlier one. */
async function sendNtfy(
  ctx: Ctx,
  delivery: DeliveryRecord,
  { ntfy }: Destination,
  token: string | null,
): Promise<Outcome> {
  if (ntfy === null) return { kind: 'dropped', reason: 'ntfy was turned off' };
  const { type, message, reminderId } = delivery;
  const outcome = await postToTopic(ctx, ntfy, {
    type,
    title: titleOf(delivery),
    message,
    link: `${ctx.appUrl}${token === null ? REMINDERS_PATH : `/act/${token}`}`,
    label: linkLabel(token, dosesOf(delivery).length),
    sequenceId: pushTopic(reminderId),
  });
  if (outcome.isTaken) return { kind: 'sent' };
  const { status, afterMs, reason } = outcome;
  const isRefused = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRefused ? { kind: 'refused', reason } : { kind: 'later', afterMs, reason };
}

const SENDERS = { push: sendPush, email: sendMail, ntfy: sendNtfy } as const;

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

/** A bug in one delivery must not hold up the others. An AppError means the database is gone, so it is rethrown. */
function unexpected(ctx: Ctx, error: unknown): Outcome {
  if (isAppError(error)) throw error;
  ctx.log.error({ err: error }, 'a reminder could not be sent');
  return { kind: 'later', afterMs: null, reason: 'unexpected error' };
}
