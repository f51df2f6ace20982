import { randomUUID } from 'node:crypto';
import type { DeliveryRecord } from '#models/index.server.ts';
import { createActTokens } from './reminder-link-tokens.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { deliver, droppedResult, type Destination } from './deliver-notification.server.ts';
import { deliveryRecorder } from './delivery-record.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import { findRecipient } from '#app/platform/mail/recipient.server.ts';

export interface DeliverOptions {
  /** Deliveries in hand at a time. */
  batch?: number;
  /** How many go out at a time. */
  width?: number;
  /** How long a worker has them in hand; longer than the slowest of them may take. In ms. */
  leaseMs?: number;
}

/** What is known of an owner when something is delivered to them. */
interface OwnerState {
  /** Null for who is not reminded any more. */
  box: Destination | null;
  /** Doses about which nothing has been done. */
  pending: ReadonlySet<string>;
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

async function ownerStates(ctx: Ctx, deliveries: readonly DeliveryRecord[], width: number) {
  const states = new Map<string, OwnerState>();
  await inParallel([...new Set(deliveries.map(({ userId }) => userId))], width, async (userId) => {
    states.set(userId, await ownerState(ctx, userId, deliveries));
  });
  return states;
}

/** Why a delivery is not sent after all; null when it is. */
function reasonToDrop({ doseId }: DeliveryRecord, state: OwnerState | undefined): string | null {
  if (state?.box == null) return 'the account is not reminded any more';
  if (doseId !== null && !state.pending.has(doseId)) return 'something was done about the dose';
  return null;
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

/**
 * Sends what is in the outbox, for anybody. A job of the worker: any number of workers may do it at once, and each
 * delivery is in one worker's hands.
 * @returns how many were in hand
 */
export async function deliverReminders(
  ctx: Ctx,
  stopping?: AbortSignal,
  { batch = 64, width = 16, leaseMs = 5 * 60_000 }: DeliverOptions = {},
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
