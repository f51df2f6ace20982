import { createHash } from 'node:crypto';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { isAppError } from '#app/domain/errors.ts';
import type { NotificationState } from '#app/domain/reminders/notification-choices.ts';
import { nextAttempt } from '#app/domain/reminders/delivery-retry.ts';
import { isHeldBack } from '#app/domain/reminders/quiet-hours.ts';
import { reminderTitle } from '#app/domain/reminders/reminder-texts.ts';
import { linkLabel, reminderMail } from '#app/domain/reminders/reminder-mails.ts';
import { MailError } from '#app/integrations/mail.server.ts';
import type { PushOutcome } from '#app/integrations/push.server.ts';
import type {
  DeliveryRecord,
  DeliveryResult,
  PushSubscriptionRecord,
  ReminderRecord,
} from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { postToTopic } from './ntfy.server.ts';
import { REMINDERS_PATH } from './paths.ts';
import { createProofTokens } from './push-proof.server.ts';
import { createActTokens } from './reminder-links.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import {
  workOffOutbox,
  type OutboxWork,
  type RoundOptions,
} from '#app/platform/jobs/outbox-rounds.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import { findRecipient, type Recipient } from '#app/platform/mail/notification-choices.server.ts';
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
  const now = ctx.now();
  const unsent = new Map(batch.map((one) => [one.id, reasonNotToSend(one, states.get(one.userId), now)]));
  const current = batch.filter(({ id }) => unsent.get(id) === null);
  const tokens = await createActTokens(ctx, current);
  const proofs = await createProofTokens(ctx, current);
  return async (delivery) => {
    const reason = unsent.get(delivery.id) ?? null;
    const destination = states.get(delivery.userId)?.destination ?? null;
    if (reason !== null) return resultOf(delivery, reason, ctx.now());
    if (destination === null) return resultOf(delivery, NO_ACCOUNT, ctx.now());
    return deliver(ctx, delivery, destination, {
      token: tokens.get(delivery.id) ?? null,
      proof: proofs.get(delivery.id) ?? null,
    });
  };
}

/** A reminder whose push may have been lost: as the bell shows it, and everything that was sent of it. */
interface Escalated {
  reminder: ReminderRecord | null;
  deliveries: readonly DeliveryRecord[];
}

/** What a delivery needs to know about its owner. */
interface OwnerState {
  /** The reminders that are escalated, by id. */
  escalated: ReadonlyMap<string, Escalated>;
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
  const escalated = new Map<string, Escalated>();
  if (recipient === null) return { destination: null, pending, escalated };
  for (const { reminderId } of deliveries.filter((one) => one.userId === userId && one.isEscalation))
    escalated.set(reminderId, {
      reminder: await repos(ctx).reminders.find(userId, reminderId),
      deliveries: await repos(ctx).deliveries.list(userId, reminderId),
    });
  const subscriptions = new Map(recipient.subscriptions.map((one) => [one.id, one]));
  return { destination: { ...recipient, subscriptions }, pending, escalated };
}

/** The doses that a delivery is about. */
const dosesOf = ({ doseId, doseIds }: Pick<DeliveryRecord, 'doseId' | 'doseIds'>): readonly string[] =>
  doseIds ?? (doseId === null ? [] : [doseId]);

const dropped = (reason: string): Outcome => ({ kind: 'dropped', reason });

const NO_ACCOUNT = dropped('the account no longer receives reminders');

/** Why a delivery is dropped or put off; null to send it, also if only some of its doses still need it. */
function reasonNotToSend(delivery: DeliveryRecord, state: OwnerState | undefined, now: Date): Outcome | null {
  if (state?.destination == null) return NO_ACCOUNT;
  const { choices, timeZone } = state.destination;
  if (isHeldBack(choices, delivery.type, { now, timeZone }))
    return dropped('quiet hours, or muted for today');
  if (delivery.isEscalation && isHeldBack(choices, delivery.type, { now: delivery.madeAt, timeZone }))
    return dropped('what it repeats was held back');
  const ids = dosesOf(delivery);
  if (ids.length === 0) return null;
  const pending = ids.map((id) => state.pending.get(id)).filter((movedAt) => movedAt !== undefined);
  if (pending.length === 0) return dropped('the dose has been logged in the meantime');
  const isCurrent = pending.some((movedAt) => movedAt === null || movedAt < delivery.madeAt);
  if (!isCurrent) return dropped('the dose has been moved in the meantime');
  const escalated = state.escalated.get(delivery.reminderId);
  return delivery.isEscalation && escalated ? reasonNotToEscalate(delivery, escalated, choices, now) : null;
}

/** Why a channel is not used after a push; null to use it, because no browser has shown the push in time. */
function reasonNotToEscalate(
  { type, channel }: DeliveryRecord,
  { reminder, deliveries }: Escalated,
  { push, escalateAfterMinutes }: NotificationState,
  now: Date,
): Outcome | null {
  if (!push || escalateAfterMinutes === 0) return dropped('escalation was turned off');
  if (reminder === null || reminder.isRead || reminder.shownAt !== null)
    return dropped('the reminder has been seen');
  if (reminder.type !== type) return dropped('a later reminder has followed');
  const stage = deliveries.filter((one) => one.type === type);
  const pushes = stage.filter((one) => one.channel === 'push');
  if (pushes.some(({ shownAt }) => shownAt != null)) return dropped('a browser has shown the push');
  const patienceMs = escalateAfterMinutes * MINUTE_MS;
  // After a pause of the workers, everything is due at once, also what should have been confirmed first.
  const afterMs = Math.max(0, ...pushes.map((one) => confirmedWithinMs(one, patienceMs, now)));
  if (afterMs > 0) return { kind: 'later', afterMs, reason: 'the push may still be confirmed' };
  if (channel !== 'email') return null;
  const ntfy = stage.find((one) => one.isEscalation && one.channel === 'ntfy');
  if (ntfy?.state === 'sent') return dropped('ntfy has delivered it');
  return ntfy && ntfy.claim !== null
    ? { kind: 'later', afterMs: MINUTE_MS, reason: 'ntfy comes first' }
    : null;
}

/** How long a browser has left to confirm a push, in ms; one that could not be sent has no time left. */
function confirmedWithinMs({ claim, sentAt }: DeliveryRecord, patienceMs: number, now: Date): number {
  if (claim !== null) return patienceMs;
  return sentAt === null ? 0 : sentAt.getTime() + patienceMs - now.getTime();
}

/** Where deliveries to an account go. */
interface Destination extends Omit<Recipient, 'subscriptions'> {
  subscriptions: ReadonlyMap<string, PushSubscriptionRecord>;
}

/** What a delivery carries. */
interface Secrets {
  /** The secret of its link; null if it is not about a dose. */
  token: string | null;
  /** With which a browser confirms a push; null on other channels. */
  proof: string | null;
}

/**
 * Sends one delivery. The caller records the result immediately; only a delivery that is cut off in between is sent again,
 * with the same Message-ID, topic and tag, so that it replaces the first.
 */
async function deliver(
  ctx: Ctx,
  delivery: DeliveryRecord,
  destination: Destination,
  secrets: Secrets,
): Promise<DeliveryResult> {
  const send = SENDERS[delivery.channel];
  const outcome = await send(ctx, delivery, destination, secrets).catch((error: unknown) =>
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
  secrets: Secrets,
): Promise<Outcome> {
  const subscription = destination.subscriptions.get(delivery.subscriptionId ?? '');
  if (subscription === undefined) return GONE;
  const outcome = await ctx.push.send(subscription, {
    account: delivery.userId,
    payload: pushPayload(delivery, secrets),
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
function pushPayload(delivery: DeliveryRecord, { token, proof }: Secrets): string {
  const { type, message, reminderId } = delivery;
  return JSON.stringify({
    title: titleOf(delivery),
    body: message,
    tag: reminderId,
    requireInteraction: type === 'overdue',
    url: token === null ? '/dashboard/reminders' : `/act/${token}`,
    confirm: proof,
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
  { token }: Secrets,
): Promise<Outcome> {
  if (!destination.choices.email) return dropped('email was turned off');
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
  { token }: Secrets,
): Promise<Outcome> {
  if (ntfy === null) return dropped('ntfy was turned off');
  const { type, message, reminderId, isEscalation } = delivery;
  const outcome = await postToTopic(ctx, ntfy, {
    type,
    isEscalation: isEscalation === true,
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

const GONE = dropped('the push subscription has ended');

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

/** A bug in one delivery must not hold up the others. An AppError means the database is gone, so it is rethrown. */
function unexpected(ctx: Ctx, error: unknown): Outcome {
  if (isAppError(error)) throw error;
  ctx.log.error({ err: error }, 'a reminder could not be sent');
  return { kind: 'later', afterMs: null, reason: 'unexpected error' };
}
