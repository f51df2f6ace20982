import { AppError } from '#app/domain/errors.ts';
import { PUSH_MESSAGES } from '#app/domain/reminders/push-schema.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { DeliveryRecord } from '#models/index.server.ts';
import { authorise, authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import {
  createOneTimeSecret,
  hashToken,
  newToken,
  takeOneTimeSecret,
} from '#app/platform/secrets/secret-tokens.server.ts';
import { repos } from './repositories.server.ts';

const PURPOSE = 'push-shown';

/** How long a push can be confirmed, in ms: longer than a push service keeps it for a browser that is offline. */
const PROOF_LIFE_MS = DAY_MS;

/**
 * Creates the secret with which the browser confirms that it showed a push, for each push among deliveries. A delivery that is
 * sent again gets a new one.
 * @returns the secrets by delivery id
 */
export async function createProofTokens(
  ctx: Ctx,
  deliveries: readonly DeliveryRecord[],
): Promise<ReadonlyMap<string, string>> {
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + PROOF_LIFE_MS);
  const tokens = new Map<string, string>();
  const secrets = deliveries.flatMap(({ id: deliveryId, userId, channel, subscriptionId }) => {
    if (channel !== 'push') return [];
    const token = newToken();
    tokens.set(deliveryId, token);
    const facts = { deliveryId, subscriptionId };
    return {
      hash: hashToken(token),
      userId,
      purpose: PURPOSE,
      createdAt,
      expiresAt,
      failures: 0,
      facts,
    } as const;
  });
  await repos(ctx).oneTimeSecrets.createMany(secrets);
  return tokens;
}

/**
 * Takes the service worker's word that it showed a push. It has no session, because a push arrives after the last one has
 * ended, too. The token is the permission: 256 random bits that stand nowhere but in the push, which only that browser can
 * decrypt, and in the database as a hash. All it can do is to note, once, that this push was shown.
 * @throws AppError NOT_FOUND for a used, expired or invented token, RATE_LIMITED
 */
export async function confirmPushShown(ctx: Ctx, token: string): Promise<void> {
  authorise(ctx.actor, 'push.confirm');
  await ctx.throttle.take({ rule: THROTTLE_RULES.pushShown, who: ctx.client.address });
  await ctx.transaction(async () => {
    const secret = await takeOneTimeSecret(ctx, PURPOSE, token);
    if (secret === null) throw new AppError('NOT_FOUND', PUSH_MESSAGES.confirmed);
    const { deliveryId, subscriptionId } = secret.facts;
    if (typeof deliveryId === 'string')
      await repos(ctx).deliveries.markShown(secret.userId, deliveryId, ctx.now());
    if (typeof subscriptionId === 'string')
      await repos(ctx).pushSubscriptions.markProven(secret.userId, subscriptionId, ctx.now());
  });
}

/** How long a push service keeps a test for a browser that is offline, in seconds. */
const TEST_LIFE_SECONDS = 600;

/**
 * Sends a push to one of the signed-in user's browsers, which confirms it as it confirms a reminder.
 * @returns why the push service did not take it; null if it did
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED, NOT_IN_DEMO, RATE_LIMITED
 */
export async function sendPushTest(ctx: Ctx, id: string): Promise<string | null> {
  const { id: userId } = authorisePremiumUser(ctx.actor, 'push.test');
  const subscription = (await repos(ctx).pushSubscriptions.list(userId)).find((one) => one.id === id);
  if (subscription === undefined) throw new AppError('NOT_FOUND', PUSH_MESSAGES.none);
  await ctx.throttle.take({ rule: THROTTLE_RULES.webhookTest, who: userId });
  const facts = { subscriptionId: id };
  const confirm = await createOneTimeSecret(ctx, { userId, purpose: PURPOSE, lifeMs: PROOF_LIFE_MS, facts });
  const outcome = await ctx.push.send(subscription, {
    account: userId,
    payload: JSON.stringify({
      title: 'Vialbook',
      body: 'This is a test. Reminders will look like this.',
      tag: 'test',
      url: '/dashboard/profile/notifications',
      confirm,
    }),
    topic: 'test',
    ttlSeconds: TEST_LIFE_SECONDS,
    urgency: 'high',
  });
  if (outcome.kind === 'sent') return null;
  return outcome.kind === 'gone' ? 'this browser has ended its subscription' : outcome.reason;
}
