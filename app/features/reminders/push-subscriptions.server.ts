import { createHash } from 'node:crypto';
import { browserName } from '#app/domain/accounts/browser-name.ts';
import { AppError, fieldError } from '#app/domain/errors.ts';
import {
  PUSH_MESSAGES,
  pushSubscriptionSchema,
  type PushSubscriptionInput,
} from '#app/domain/reminders/push-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authoriseRecentPremiumUser, authoriseUser } from '#app/platform/access/authorise.server.ts';
import { notifyOfChannel } from '#app/platform/mail/channel-notice.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { repos } from './repositories.server.ts';

/** The most subscribed browsers of an account; a new one replaces the oldest. */
const MAX_BROWSERS = 10;

/** A subscribed browser. */
export interface PushBrowser {
  id: string;
  /** "Firefox on Linux". */
  browser: string;
  createdAt: Date;
  /** When it last showed a push; null before the first. */
  provenAt: Date | null;
}

/** What a browser needs to subscribe, base64url. @throws AppError PREMIUM_REQUIRED, RECENT_SIGN_IN_REQUIRED */
export async function pushPublicKey(ctx: Ctx): Promise<string> {
  authoriseRecentPremiumUser(ctx, 'push.subscribe');
  return ctx.push.publicKey();
}

/**
 * Subscribes this browser to push notifications. The subscription belongs to this account until its session ends.
 * @throws AppError INVALID_INPUT for an endpoint that is not on the public internet, PREMIUM_REQUIRED, RATE_LIMITED,
 * RECENT_SIGN_IN_REQUIRED
 */
export async function subscribeBrowser(ctx: Ctx, input: PushSubscriptionInput): Promise<void> {
  const user = authoriseRecentPremiumUser(ctx, 'push.subscribe');
  await ctx.throttle.take({ rule: THROTTLE_RULES.pushSubscription, who: user.id });
  const subscription = parseInput(pushSubscriptionSchema, input);
  if (!(await ctx.push.accepts(user.id, subscription.endpoint)))
    throw fieldError('endpoint', PUSH_MESSAGES.endpoint);
  const browser = browserName(ctx.client.userAgent);
  await ctx.transaction(async () => {
    const { pushSubscriptions } = repos(ctx);
    await pushSubscriptions.put(user.id, {
      id: subscriptionId(subscription.endpoint),
      ...subscription,
      signInId: user.sessionId,
      browser,
      createdAt: ctx.now(),
      provenAt: null,
    });
    await notifyOfChannel(ctx, user.id, { kind: 'push', to: browser });
    const all = await pushSubscriptions.list(user.id);
    for (const { id } of all.slice(0, -MAX_BROWSERS)) await pushSubscriptions.delete(user.id, id);
  });
}

/** The subscribed browsers, oldest first. */
export async function listPushBrowsers(ctx: Ctx): Promise<PushBrowser[]> {
  const user = authoriseUser(ctx.actor, 'push.manage');
  const all = await repos(ctx).pushSubscriptions.list(user.id);
  return all.map(({ id, browser, createdAt, provenAt = null }) => ({ id, browser, createdAt, provenAt }));
}

/** @throws AppError NOT_FOUND */
export async function getPushBrowser(ctx: Ctx, id: string): Promise<PushBrowser> {
  const found = (await listPushBrowsers(ctx)).find((browser) => browser.id === id);
  if (found === undefined) throw new AppError('NOT_FOUND', PUSH_MESSAGES.none);
  return found;
}

/** Ends a browser's subscription. @throws AppError NOT_FOUND */
export async function removePushBrowser(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'push.manage');
  if (!(await repos(ctx).pushSubscriptions.delete(user.id, id)))
    throw new AppError('NOT_FOUND', PUSH_MESSAGES.none);
}

/** The endpoint is a secret, so the id is its hash. */
const subscriptionId = (endpoint: string) =>
  `push_${createHash('sha256').update(endpoint).digest('base64url').slice(0, 43)}`;
