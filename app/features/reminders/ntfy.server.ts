import { AppError, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  NTFY_MESSAGES,
  ntfyBody,
  ntfyChangesSchema,
  topicOf,
  type NtfyChangesInput,
} from '#app/domain/reminders/ntfy.ts';
import { REMINDERS_PATH } from './paths.ts';
import type { NtfyTopicRecord } from '#models/index.server.ts';
import {
  authorisePremiumUser,
  authoriseRecentPremiumUser,
  authoriseUser,
} from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { notifyOfChannel } from '#app/platform/mail/channel-notice.server.ts';
import type { PostOutcome } from '#app/integrations/outgoing.server.ts';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';
import { repos } from './repositories.server.ts';

/** An account's ntfy topic as its owner sees it. */
export interface NtfyTopicView {
  url: string;
  hasToken: boolean;
}

const view = ({ url, token }: NtfyTopicRecord): NtfyTopicView => ({ url, hasToken: token !== null });

/** @returns null if none is set @throws AppError UNAUTHENTICATED */
export async function findNtfyTopic(ctx: Ctx): Promise<NtfyTopicView | null> {
  const { id } = authoriseUser(ctx.actor, 'ntfy.read');
  const topic = await repos(ctx).ntfyTopics.find(id);
  return topic && view(topic);
}

function unset(): never {
  throw new AppError('NOT_FOUND', NTFY_MESSAGES.none);
}

/**
 * Sets the ntfy topic and turns on reminders through it. Without an address the stored one is kept.
 * @throws AppError INVALID_INPUT also for an address in a private network, PREMIUM_REQUIRED, NOT_IN_DEMO, RATE_LIMITED,
 * RECENT_SIGN_IN_REQUIRED; FORBIDDEN for a token
 */
export async function setNtfyTopic(ctx: Ctx, input: NtfyChangesInput): Promise<NtfyTopicView> {
  const { id: userId } = authoriseRecentPremiumUser(ctx, 'ntfy.set');
  const known = await repos(ctx).ntfyTopics.find(userId);
  const { url = known?.url, token } = parseInput(ntfyChangesSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.webhookChange, who: userId });
  if (url === undefined) throw fieldError('url', NTFY_MESSAGES.url);
  const found = await ctx.outgoing.check(userId, url);
  if (found === 'private') throw fieldError('url', NTFY_MESSAGES.url);
  if (found === 'slow') throw fieldError('url', NTFY_MESSAGES.slow);
  // A token must only be sent to the server it belongs to.
  const storedToken =
    known !== null && new URL(known.url).origin === new URL(url).origin ? known.token : null;
  const sealed =
    token === undefined ? storedToken : token === '' ? null : encryptSecret(ctx.secret, useOf(userId), token);
  const topic = { userId, url, token: sealed, createdAt: known?.createdAt ?? ctx.now() };
  await ctx.transaction(async () => {
    await repos(ctx).ntfyTopics.put(topic);
    await repos(ctx).notificationChoices.update(userId, { ntfy: true });
    await notifyOfChannel(ctx, userId, { kind: 'ntfy', to: new URL(url).host });
  });
  return view(topic);
}

/** Deletes the topic and turns ntfy off. @throws AppError NOT_FOUND when none is set */
export async function deleteNtfyTopic(ctx: Ctx): Promise<void> {
  const { id } = authoriseUser(ctx.actor, 'ntfy.read');
  await ctx.transaction(async () => {
    await repos(ctx).notificationChoices.update(id, { ntfy: false });
    if (!(await repos(ctx).ntfyTopics.delete(id))) unset();
  });
}

/**
 * Sends a test message.
 * @returns why it was not accepted; null if it was
 * @throws AppError NOT_FOUND when no topic is set, PREMIUM_REQUIRED, NOT_IN_DEMO, RATE_LIMITED
 */
export async function sendNtfyTest(ctx: Ctx): Promise<string | null> {
  const { id } = authorisePremiumUser(ctx.actor, 'ntfy.test');
  const topic = (await repos(ctx).ntfyTopics.find(id)) ?? unset();
  await ctx.throttle.take({ rule: THROTTLE_RULES.webhookTest, who: id });
  const outcome = await postToTopic(ctx, topic, {
    type: 'other',
    title: 'Vialbook',
    message: 'This is a test. Reminders will look like this.',
    link: new URL(REMINDERS_PATH, ctx.appUrl).href,
    label: 'Open your reminders',
    sequenceId: 'test',
  });
  return outcome.isTaken ? null : outcome.reason;
}

const useOf = (ownerId: string) => ({ purpose: 'ntfy', ownerId });

/** Posts a message to a topic. Never rejects. */
export async function postToTopic(
  ctx: Ctx,
  { userId, url, token }: NtfyTopicRecord,
  message: Omit<Parameters<typeof ntfyBody>[0], 'topic'>,
): Promise<PostOutcome> {
  const target = topicOf(url);
  const plain = token === null ? null : decryptSecret(ctx.secret, useOf(userId), token);
  if (target === null || (token !== null && plain === null))
    return {
      isTaken: false,
      status: 400,
      afterMs: null,
      reason: 'the token of the topic can no longer be read',
    };
  const body = ntfyBody({ topic: target.topic, ...message });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'Vialbook',
    ...(plain !== null && { Authorization: `Bearer ${plain}` }),
  };
  return ctx.outgoing.post({ account: userId, endpoint: target.server, headers, body });
}
