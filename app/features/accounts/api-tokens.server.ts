import { isGone } from '#app/domain/accounts/deletion-grace.ts';
import {
  API_TOKEN_PREFIX,
  apiTokenEnd,
  isOver,
  MAX_API_TOKENS,
  type ApiTokenScope,
} from '#app/domain/accounts/api-token.ts';
import { AppError } from '#app/domain/errors.ts';
import { apiTokenMadeMail } from '#app/domain/accounts/security-mails.ts';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import {
  API_TOKEN_MESSAGES,
  createApiTokenSchema,
  type CreateApiTokenInput,
} from '#app/domain/accounts/api-token-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { ApiTokenRecord, UserRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { authoriseRecent } from '#app/platform/access/recent-sign-in.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { SEEN_MS, TOUCH_MS } from './session-lifetimes.server.ts';
import { actorOf } from './sessions.server.ts';

/** A personal token as its owner sees it, without the secret. */
export interface ApiTokenView {
  id: string;
  name: string;
  scope: ApiTokenScope;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  isOver: boolean;
}

function view(record: ApiTokenRecord, now: Date): ApiTokenView {
  const { tokenId, name, scope, createdAt, expiresAt, lastUsedAt } = record;
  return { id: tokenId, name, scope, createdAt, expiresAt, lastUsedAt, isOver: isOver(record, now) };
}

/** The signed-in user's personal tokens, the newest first; one that is over is listed for another 30 days. */
export async function listApiTokens(ctx: Ctx): Promise<ApiTokenView[]> {
  const { id } = authoriseUser(ctx.actor, 'api-token.manage');
  const now = ctx.now();
  return (await ctx.repos.apiTokens.list(id)).map((record) => view(record, now));
}

/** @throws AppError NOT_FOUND when the signed-in user has no such token */
export async function getApiToken(ctx: Ctx, tokenId: string): Promise<ApiTokenView> {
  const found = (await listApiTokens(ctx)).find(({ id }) => id === tokenId);
  if (found === undefined) throw new AppError('NOT_FOUND', API_TOKEN_MESSAGES.none);
  return found;
}

/**
 * Makes a personal token.
 * @returns its secret, shown this once and kept nowhere
 * @throws AppError RECENT_SIGN_IN_REQUIRED, INVALID_INPUT; CONFLICT when there are as many as there can be
 */
export async function createApiToken(
  ctx: Ctx,
  input: CreateApiTokenInput,
): Promise<{ secret: string; token: ApiTokenView }> {
  const user = authoriseRecent(ctx, 'api-token.manage');
  const { name, scope, life } = parseInput(createApiTokenSchema, input);
  const now = ctx.now();
  const secret = newToken();
  const record: ApiTokenRecord = {
    hash: hashToken(secret),
    userId: user.id,
    tokenId: newId(now),
    name,
    scope,
    createdAt: now,
    expiresAt: apiTokenEnd(life, now),
    lastUsedAt: null,
  };
  if (!(await ctx.repos.apiTokens.insert(record, MAX_API_TOKENS)))
    throw new AppError('CONFLICT', API_TOKEN_MESSAGES.limit);
  const after = { name, scope, expiresAt: record.expiresAt };
  await recordAudit(ctx, { action: 'api-token.create', subjectId: user.id, before: {}, after });
  const { appUrl, timeZone } = ctx;
  ctx.postbox.post(user.email, apiTokenMadeMail({ appUrl, at: now, timeZone, name, scope }));
  return { secret: `${API_TOKEN_PREFIX}${secret}`, token: view(record, now) };
}

/**
 * Ends one of the signed-in user's tokens at once.
 * @throws AppError NOT_FOUND when the user has no such token
 */
export async function revokeApiToken(ctx: Ctx, tokenId: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'api-token.manage');
  const removed = await ctx.repos.apiTokens.remove(user.id, tokenId);
  if (removed === null) throw new AppError('NOT_FOUND', API_TOKEN_MESSAGES.none);
  const { name, scope } = removed;
  await recordAudit(ctx, {
    action: 'api-token.revoke',
    subjectId: user.id,
    before: { name, scope },
    after: {},
  });
}

async function findInTime(ctx: Ctx, text: string): Promise<ApiTokenRecord | null> {
  const secret = text.startsWith(API_TOKEN_PREFIX) ? text.slice(API_TOKEN_PREFIX.length) : '';
  const record = isToken(secret) ? await ctx.repos.apiTokens.findByHash(hashToken(secret)) : null;
  return record === null || isOver(record, ctx.now()) ? null : record;
}

async function recordUse(ctx: Ctx, { userId, tokenId, lastUsedAt }: ApiTokenRecord, user: UserRecord) {
  const at = ctx.now();
  const before = (ms: number) => new Date(at.getTime() - ms);
  if (lastUsedAt === null || lastUsedAt <= before(TOUCH_MS))
    await ctx.repos.apiTokens.touch(userId, tokenId, at, before(TOUCH_MS));
  if (user.lastSeenAt <= before(SEEN_MS)) await ctx.repos.users.touch(userId, at, before(SEEN_MS));
}

/**
 * Whom a personal token stands for. It counts as no recent sign-in, whenever it was made, and as no session.
 * @returns null when it is unknown, revoked or over, and for anything that is no personal token
 * @throws AppError SUSPENDED when the account is suspended
 */
export async function resolveApiToken(
  ctx: Ctx,
  token: string | null | undefined,
): Promise<{ actor: SignedInUser } | null> {
  const record = token ? await findInTime(ctx, token) : null;
  const user = record === null ? null : await ctx.repos.users.findById(record.userId);
  if (record === null || user === null || isGone(user, ctx.now())) return null;
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  await recordUse(ctx, record, user);
  const { tokenId, scope } = record;
  const actor = actorOf(ctx, user, { signInId: `token:${tokenId}`, authenticatedAt: new Date(0) });
  return { actor: { ...actor, apiToken: { id: tokenId, scope } } };
}
