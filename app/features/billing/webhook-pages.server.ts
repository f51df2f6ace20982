import type { ActionFunctionArgs } from '@remix-run/node';
import { closeSubscriptions, isTied, readEvent, reduceBilling } from '#app/domain/billing/reduce-events.ts';
import { firstPayment, type BillingState } from '#app/domain/billing/billing-state.ts';
import { subscriptionEventOf } from '#app/domain/billing/subscription-events.ts';
import type { BillingEvent } from '#app/domain/billing/billing-event.ts';
import { isAppError, STATUS } from '#app/domain/errors.ts';
import type { UserRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import {
  changeBilling,
  applyBillingEffects,
  cancelClosed,
  askForShifts,
  carryOutShifts,
} from './billing-changes.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { applyReferralPayment } from '#app/features/referrals/index.server.ts';
import { visitorContext } from '#app/platform/http/session.server.ts';

/** Asks the provider which of two descriptions from the same second is newer; null when it knows neither. */
async function tieBreaker(ctx: Ctx, event: BillingEvent): Promise<BillingEvent | null> {
  if (event.kind !== 'subscription') return null;
  try {
    const snapshot = await ctx.payments.getSubscription(event.subscription.id);
    return readEvent(snapshot, ctx.now(), event);
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

async function stateAfter(
  ctx: Ctx,
  user: UserRecord,
  state: BillingState,
  event: BillingEvent,
): Promise<BillingState> {
  const answer = isTied(state, event) ? await tieBreaker(ctx, event) : null;
  const told = reduceBilling(state, event);
  const after = answer === null ? told : reduceBilling(told, answer);
  // A purchase completed after the account was suspended must not be charged again.
  return user.suspendedAt === null ? after : closeSubscriptions(after, user.suspendedAt);
}

async function ownerOf(ctx: Ctx, customerId: string): Promise<UserRecord | null> {
  const userId = await ctx.repos.stripeCustomers.findOwner(customerId);
  return userId === null ? null : ctx.repos.users.find(userId);
}

/** Applies a payment to the account's referral and to the charges of both accounts. */
async function applyReferralCredit(ctx: Ctx, userId: string, state: BillingState): Promise<void> {
  const changes = await applyReferralPayment(ctx, userId, firstPayment(state), (credits) =>
    askForShifts(ctx, credits),
  );
  for (const id of new Set([userId, ...changes.map((change) => change.userId)]))
    await carryOutShifts(ctx, id);
}

/**
 * Applies an event of the payment provider. Events may come in any order, concurrently and any number of times. Events are
 * marked as applied last, so that an interrupted one is applied again when it is redelivered.
 */
async function applyEvent(ctx: Ctx, event: BillingEvent): Promise<void> {
  if (event.kind === 'ignored' || event.customerId === null) return;
  const user = await ownerOf(ctx, event.customerId);
  if (user === null) return ctx.log.info({ type: event.type }, 'a payment event for an unknown account');
  if (await ctx.repos.billingEvents.isApplied(user.id, event.id)) return;
  const change = await changeBilling(ctx, user.id, (state) => stateAfter(ctx, user, state, event));
  const row = subscriptionEventOf(event);
  if (row !== null) await ctx.repos.subscriptionEvents.record(user.id, row);
  await applyBillingEffects(ctx, user, change, event);
  await applyReferralCredit(ctx, user.id, change.after);
  await cancelClosed(ctx, user, change.after);
  await ctx.repos.billingEvents.markApplied(user.id, event, ctx.now());
}

/**
 * Handles a webhook of the payment provider, the only way a payment makes an account premium.
 * @param rawBody the bytes as received
 * @throws AppError INVALID_INPUT for a missing, wrong or old signature, without writing anything;
 * NOT_CONFIGURED, PROVIDER_UNAVAILABLE
 */
export async function receiveWebhook(
  ctx: Ctx,
  rawBody: string | Uint8Array,
  signature: string | null,
): Promise<void> {
  authorise(ctx.actor, 'billing.receive');
  await applyEvent(ctx, await ctx.payments.verifyWebhook(rawBody, signature));
}

/** Delivers test-mode events to the webhook within this process. @param ctx returns a context for each */
export function deliverHere(ctx: () => Ctx): (rawBody: string, signature: string) => Promise<boolean> {
  return async (rawBody, signature) => {
    await receiveWebhook(ctx(), rawBody, signature);
    return true;
  };
}

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });

/** This address only accepts events. */
export function refuseWebhookRead(): Response {
  return answer(405, { error: 'METHOD_NOT_ALLOWED' }, { Allow: 'POST' });
}

/**
 * Accepts an event of the payment provider from its raw bytes, without reading a session. The provider redelivers unless
 * the answer is 200.
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
