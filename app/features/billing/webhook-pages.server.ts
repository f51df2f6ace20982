import type { ActionFunctionArgs } from '@remix-run/node';
import { reduceBilling, withSubscription } from '#app/domain/billing/reduce-events.ts';
import { firstPayment, type BillingState } from '#app/domain/billing/billing-state.ts';
import { subscriptionEventOf } from '#app/domain/billing/subscription-events.ts';
import type { BillingEvent, SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';
import { isAppError, STATUS } from '#app/domain/errors.ts';
import { afterCommit } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import {
  actOnReport,
  askForShifts,
  cancelClosed,
  carryOutShifts,
  changeBilling,
} from './billing-changes.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { applyReferralPayment } from '#app/features/referrals/index.server.ts';
import { visitorContext } from '#app/platform/http/session.server.ts';
import { repos } from './repositories.server.ts';

/** Applies an event with the state of the subscription that it is about: the act. */
async function apply(
  ctx: Ctx,
  userId: string,
  event: BillingEvent,
  report: SubscriptionSnapshot | null,
): Promise<void> {
  const { billingEvents, subscriptionEvents } = repos(ctx);
  if (await billingEvents.isApplied(userId, event.id)) return;
  const change = (state: BillingState) =>
    report === null ? reduceBilling(state, event) : withSubscription(reduceBilling(state, event), report);
  const after = await changeBilling(ctx, userId, change, event);
  if (after === null) return;
  const row = subscriptionEventOf(event);
  if (row !== null) await subscriptionEvents.record(userId, row, ctx.now());
  const credits = await applyReferralPayment(ctx, userId, firstPayment(after));
  await askForShifts(ctx, credits);
  await billingEvents.markApplied(userId, event, ctx.now());
  await afterCommit(async () => {
    for (const id of new Set([userId, ...credits.map((credit) => credit.userId)]))
      await carryOutShifts(ctx, id);
    await cancelClosed(ctx, userId, after);
  });
}

/**
 * Applies an event of the payment provider. Events may come in any order, concurrently, late and any number of times: what
 * they say of a subscription is not looked at, the provider is asked how it is now. Without its answer nothing is written,
 * and the event is redelivered.
 */
async function applyEvent(ctx: Ctx, event: BillingEvent): Promise<void> {
  const { kind, type, customerId, subscriptionId } = event;
  if (kind === 'ignored' || customerId === null) return;
  const userId = await repos(ctx).stripeCustomers.findOwner(customerId);
  if (userId === null) return ctx.log.info({ type }, 'a payment event for an unknown account');
  const ask = () =>
    subscriptionId === null ? Promise.resolve(null) : ctx.payments.getSubscription(subscriptionId);
  await actOnReport(ctx, userId, ask, (report) => apply(ctx, userId, event, report));
}

/**
 * Handles a webhook of the payment provider, the only way a payment makes an account premium.
 * @param rawBody the bytes as received
 * @throws AppError INVALID_INPUT for a missing, wrong or old signature; NOT_CONFIGURED, PROVIDER_UNAVAILABLE, NOT_FOUND
 * when the provider cannot be asked. Nothing is written then.
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
