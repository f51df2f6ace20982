import { randomBytes } from 'node:crypto';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  MAX_WEBHOOKS,
  newSecretSchema,
  OLD_SECRET_LIFE_MS,
  WEBHOOK_SECRET_PREFIX,
  webhookHost,
  WEBHOOK_MESSAGES,
  webhookChangesSchema,
  webhookSchema,
  type NewSecretInput,
  type WebhookChangesInput,
  type WebhookInput,
} from '#app/domain/webhooks/webhook.ts';
import type { WebhookRecord } from '#models/index.server.ts';
import { authorise, requireRecent } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { findOwner, premiumOwner, type PremiumOwner } from '#app/platform/access/owner.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { notifyOfChannel } from '#app/platform/mail/channel-notice.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';
import { repos } from './repositories.server.ts';

/** A webhook as its owner sees it, without its secrets. */
export type WebhookView = Omit<WebhookRecord, 'userId' | 'secret' | 'oldSecret'>;

function view(ctx: Ctx, webhook: WebhookRecord): WebhookView {
  const { userId: _owner, secret: _secret, oldSecret: _old, oldSecretUntil, ...rest } = webhook;
  const isOver = oldSecretUntil === null || oldSecretUntil <= ctx.now();
  return { ...rest, oldSecretUntil: isOver ? null : oldSecretUntil };
}

/** A webhook and the secret that signs its messages, which is shown only once. */
export interface NewWebhook {
  webhook: WebhookView;
  secret: string;
}

/** The owner of webhooks, who may no longer have Premium. @throws AppError UNAUTHENTICATED, NOT_FOUND */
export async function webhookOwner(
  ctx: Ctx,
  action: 'webhook.read' | 'webhook.remove',
  email?: string,
): Promise<string> {
  if (ctx.actor.kind === 'visitor') authorise(ctx.actor, action);
  const { id } = await findOwner(ctx, email);
  authorise(ctx.actor, action, { ownerId: id });
  return id;
}

/**
 * The webhooks of the signed-in user, oldest first.
 * @param email the owner, when called from the terminal
 * @throws AppError UNAUTHENTICATED
 */
export async function listWebhooks(ctx: Ctx, email?: string): Promise<WebhookView[]> {
  const id = await webhookOwner(ctx, 'webhook.read', email);
  return (await repos(ctx).webhooks.list(id)).map((webhook) => view(ctx, webhook));
}

/** @throws AppError NOT_FOUND, also for another owner's webhook */
export async function getWebhook(ctx: Ctx, id: string, email?: string): Promise<WebhookView> {
  return view(ctx, await requireWebhook(ctx, await webhookOwner(ctx, 'webhook.read', email), id));
}

/** @throws AppError NOT_FOUND, also for another owner's webhook */
export async function requireWebhook(ctx: Ctx, userId: string, id: string): Promise<WebhookRecord> {
  const found = await repos(ctx).webhooks.find(userId, id);
  if (found === null) throw notFound();
  return found;
}

const notFound = () => new AppError('NOT_FOUND', WEBHOOK_MESSAGES.none);

/** The owner, who sets where events go. @throws AppError as the policy; RECENT_SIGN_IN_REQUIRED */
async function settingOwner(ctx: Ctx, email?: string): Promise<PremiumOwner> {
  const owner = await premiumOwner(ctx, 'webhook.set', email);
  requireRecent(ctx);
  return owner;
}

/**
 * Adds a webhook.
 * @returns its secret too, to be shown only once: it is stored encrypted
 * @throws AppError INVALID_INPUT, also for an address in a private network; PREMIUM_REQUIRED, RATE_LIMITED,
 * RECENT_SIGN_IN_REQUIRED; FORBIDDEN for a token; CONFLICT when the account has the maximum number of webhooks
 */
export async function createWebhook(ctx: Ctx, input: WebhookInput, email?: string): Promise<NewWebhook> {
  const owner = await settingOwner(ctx, email);
  const { url, events } = parseInput(webhookSchema, input);
  const limit = () => conflict('LIMIT_REACHED', WEBHOOK_MESSAGES.limit);
  if ((await repos(ctx).webhooks.list(owner.id)).length >= MAX_WEBHOOKS) throw limit();
  await requireAddress(ctx, owner.id, url);
  const now = ctx.now();
  const secret = newSecret();
  const record: WebhookRecord = {
    id: `hook_${newId(now)}`,
    userId: owner.id,
    url,
    events,
    secret: sealed(ctx, owner.id, secret),
    oldSecret: null,
    oldSecretUntil: null,
    createdAt: now,
    failingSince: null,
  };
  await ctx.transaction(async () => {
    // Others may have been added while the name was looked up.
    if (!(await repos(ctx).webhooks.create(record, MAX_WEBHOOKS))) throw limit();
    await audit(ctx, owner.id, 'webhook.create', {}, record);
    await notifyOfChannel(ctx, owner.id, { kind: 'webhook', to: webhookHost(url) });
  });
  return { webhook: view(ctx, record), secret };
}

/**
 * Changes the address or the events of a webhook. Waiting deliveries go to the new address.
 * @throws AppError NOT_FOUND, INVALID_INPUT, PREMIUM_REQUIRED, RATE_LIMITED, RECENT_SIGN_IN_REQUIRED, FORBIDDEN
 */
export async function updateWebhook(
  ctx: Ctx,
  id: string,
  input: WebhookChangesInput,
  email?: string,
): Promise<WebhookView> {
  const owner = await settingOwner(ctx, email);
  const before = await requireWebhook(ctx, owner.id, id);
  const { url = before.url, events = before.events } = parseInput(webhookChangesSchema, input);
  if (url !== before.url) await requireAddress(ctx, owner.id, url);
  const moved = url === before.url ? {} : { failingSince: null };
  return ctx.transaction(async () => {
    const after = await repos(ctx).webhooks.change(owner.id, id, { url, events, ...moved });
    if (after === null) throw notFound();
    await audit(ctx, owner.id, 'webhook.change', before, after);
    await notifyOfChannel(ctx, owner.id, { kind: 'webhook', to: webhookHost(after.url) });
    return view(ctx, after);
  });
}

/**
 * Gives a webhook a new secret. For {@link OLD_SECRET_LIFE_MS}, messages are signed with the one before it, too, so that its
 * receiver need not change at the same moment.
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED, RECENT_SIGN_IN_REQUIRED, FORBIDDEN
 */
export async function rotateWebhookSecret(
  ctx: Ctx,
  id: string,
  input: NewSecretInput = {},
  email?: string,
): Promise<NewWebhook> {
  const owner = await settingOwner(ctx, email);
  const { endOld } = parseInput(newSecretSchema, input);
  const secret = newSecret();
  return ctx.transaction(async () => {
    const before = await requireWebhook(ctx, owner.id, id);
    const old = endOld
      ? { oldSecret: null, oldSecretUntil: null }
      : { oldSecret: before.secret, oldSecretUntil: new Date(ctx.now().getTime() + OLD_SECRET_LIFE_MS) };
    const changes = { secret: sealed(ctx, owner.id, secret), ...old };
    const changed = await repos(ctx).webhooks.change(owner.id, id, changes);
    if (changed === null) throw notFound();
    await audit(ctx, owner.id, 'webhook.rotate-secret', {}, changed);
    await notifyOfChannel(ctx, owner.id, { kind: 'webhook', to: webhookHost(changed.url) });
    return { webhook: view(ctx, changed), secret };
  });
}

/** Deletes a webhook with its deliveries; waiting ones are not sent. @throws AppError NOT_FOUND */
export async function deleteWebhook(ctx: Ctx, id: string, email?: string): Promise<void> {
  const userId = await webhookOwner(ctx, 'webhook.remove', email);
  await ctx.transaction(async () => {
    const removed = await repos(ctx).webhooks.delete(userId, id);
    if (removed === null) throw notFound();
    await repos(ctx).webhookDeliveries.deleteOf(userId, id);
    await audit(ctx, userId, 'webhook.delete', removed, {});
  });
}

/**
 * Checks the address. Its name is checked again for every message.
 * @throws AppError INVALID_INPUT for an address that is not https on the public internet, or whose name cannot be resolved;
 * RATE_LIMITED
 */
async function requireAddress(ctx: Ctx, userId: string, url: string): Promise<void> {
  await ctx.throttle.take({ rule: THROTTLE_RULES.webhookChange, who: userId });
  const found = await ctx.outgoing.check(userId, url);
  if (found === 'private') throw fieldError('url', WEBHOOK_MESSAGES.url);
  if (found === 'unresolved') throw fieldError('url', WEBHOOK_MESSAGES.unresolved);
  if (found === 'slow') throw fieldError('url', WEBHOOK_MESSAGES.slow);
}

/** Records only the host of the address: the rest may contain a secret. */
async function audit(
  ctx: Ctx,
  subjectId: string,
  action: string,
  before: Partial<WebhookRecord>,
  after: Partial<WebhookRecord>,
): Promise<void> {
  const facts = ({ id, url, events }: Partial<WebhookRecord>) =>
    id === undefined || url === undefined ? {} : { webhook: id, host: webhookHost(url), events };
  await recordAudit(ctx, { action, subjectId, before: facts(before), after: facts(after) });
}

/** As in the Standard Webhooks: base64 with its padding. */
const newSecret = () => `${WEBHOOK_SECRET_PREFIX}${randomBytes(32).toString('base64')}`;

const useOf = (ownerOf: string) => ({ purpose: 'webhook', ownerId: ownerOf });

const sealed = (ctx: Ctx, userId: string, secret: string): string =>
  encryptSecret(ctx.secret, useOf(userId), secret);

/**
 * The secrets that sign a webhook's messages: its own, and during a rotation the one before it.
 * @returns none when the server's own secret has changed since they were stored
 */
export function openSecrets(ctx: Ctx, webhook: WebhookRecord): string[] {
  const { userId, secret, oldSecret, oldSecretUntil } = webhook;
  const open = (stored: string) => decryptSecret(ctx.secret, useOf(userId), stored);
  const plain = open(secret);
  if (plain === null) {
    ctx.log.error({ userId }, 'webhook secret encrypted with another SESSION_SECRET');
    return [];
  }
  const isOldValid = oldSecret !== null && oldSecretUntil !== null && ctx.now() < oldSecretUntil;
  const old = isOldValid ? open(oldSecret) : null;
  return old === null ? [plain] : [plain, old];
}
