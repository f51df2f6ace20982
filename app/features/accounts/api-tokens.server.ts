import { isGone } from '#app/domain/accounts/account.ts';
import {
  API_TOKEN_PREFIX,
  apiTokenEnd,
  isExpired,
  MAX_API_TOKENS,
  type ApiTokenScope,
  API_TOKEN_MESSAGES,
  createApiTokenSchema,
  type CreateApiTokenInput,
} from '#app/domain/accounts/api-token.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { apiTokenCreatedMail } from '#app/domain/accounts/account-mails.ts';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { whereRoom, type ApiTokenRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, authoriseUser, authoriseRecent } from '#app/platform/access/authorise.server.ts';
import { contextAs, type Ctx, type SignedInUser } from '#app/platform/access/context.server.ts';
import { getUserByEmail } from '#app/platform/access/owner.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { actorOf, recordSeen, TOUCH_MS } from './sessions.server.ts';
import { repos } from './repositories.server.ts';

/** A personal token as its owner sees it, without its secret. */
export interface ApiTokenView {
  id: string;
  name: string;
  scope: ApiTokenScope;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  isOver: boolean;
  /** It was given through OAuth, to a program that reaches only `/mcp`. */
  isConnection: boolean;
}

function view(record: ApiTokenRecord, now: Date): ApiTokenView {
  const { tokenId, name, scope, createdAt, expiresAt, lastUsedAt } = record;
  const isConnection = record.connection != null;
  const isOver = isExpired(record, now);
  return { id: tokenId, name, scope, createdAt, expiresAt, lastUsedAt, isOver, isConnection };
}

/** The signed-in user's personal tokens, newest first. Expired ones are listed for another 30 days. */
export async function listApiTokens(ctx: Ctx): Promise<ApiTokenView[]> {
  const { id } = authoriseUser(ctx.actor, 'api-token.manage');
  const now = ctx.now();
  return (await repos(ctx).apiTokens.list(id)).map((record) => view(record, now));
}

/** @throws AppError NOT_FOUND when the signed-in user has no such token */
export async function getApiToken(ctx: Ctx, tokenId: string): Promise<ApiTokenView> {
  const found = (await listApiTokens(ctx)).find(({ id }) => id === tokenId);
  if (found === undefined) throw new AppError('NOT_FOUND', API_TOKEN_MESSAGES.none);
  return found;
}

/**
 * Creates a personal token.
 * @returns its secret, to be shown only this once: it is stored nowhere
 * @throws AppError RECENT_SIGN_IN_REQUIRED, INVALID_INPUT; CONFLICT when the account has the maximum
 */
export async function createApiToken(
  ctx: Ctx,
  input: CreateApiTokenInput,
): Promise<{ secret: string; token: ApiTokenView }> {
  const user = authoriseRecent(ctx, 'api-token.create');
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
  await ctx.transaction(async () => {
    if (!(await repos(ctx).apiTokens.create(record, MAX_API_TOKENS))) {
      throw conflict('LIMIT_REACHED', API_TOKEN_MESSAGES.limit);
    }
    const after = { token: record.tokenId, scope, expiresAt: record.expiresAt };
    await recordAudit(ctx, { action: 'api-token.create', subjectId: user.id, before: {}, after });
    const { appUrl, timeZone } = ctx;
    await ctx.mailQueue.post(user.email, apiTokenCreatedMail({ appUrl, at: now, timeZone, name, scope }));
  });
  return { secret: `${API_TOKEN_PREFIX}${secret}`, token: view(record, now) };
}

/**
 * Revokes one of the signed-in user's tokens, with immediate effect.
 * @throws AppError NOT_FOUND when the user has no such token
 */
export async function revokeApiToken(ctx: Ctx, tokenId: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'api-token.manage');
  await ctx.transaction(async () => {
    const removed = await repos(ctx).apiTokens.delete(user.id, tokenId);
    if (removed === null) throw new AppError('NOT_FOUND', API_TOKEN_MESSAGES.none);
    const before = { token: tokenId, scope: removed.scope };
    await recordAudit(ctx, { action: 'api-token.revoke', subjectId: user.id, before, after: {} });
  });
}

async function findUnexpired(ctx: Ctx, text: string): Promise<ApiTokenRecord | null> {
  const secret = text.startsWith(API_TOKEN_PREFIX) ? text.slice(API_TOKEN_PREFIX.length) : '';
  const record = isToken(secret) ? await repos(ctx).apiTokens.findByHash(hashToken(secret)) : null;
  // A connection is opened by its access tokens, not by the code that it began with.
  if (record === null || record.connection != null) return null;
  return isExpired(record, ctx.now()) ? null : record;
}

async function recordUse(ctx: Ctx, { userId, tokenId, lastUsedAt }: ApiTokenRecord): Promise<void> {
  const at = ctx.now();
  const unlessAfter = new Date(at.getTime() - TOUCH_MS);
  if (lastUsedAt === null || lastUsedAt <= unlessAfter)
    await whereRoom(repos(ctx).apiTokens.touch(userId, tokenId, at, unlessAfter));
}

/**
 * The user of a personal token. It never counts as a recent sign-in, and it is not a session.
 * @returns null when it is unknown, revoked or expired, and for anything that is not a personal token
 * @throws AppError SUSPENDED when the account is suspended
 */
export async function resolveApiToken(
  ctx: Ctx,
  token: string | null | undefined,
): Promise<{ actor: SignedInUser } | null> {
  const record = token ? await findUnexpired(ctx, token) : null;
  return record === null ? null : actorOfToken(ctx, record);
}

/**
 * The user of a token that was found and is still good.
 * @returns null when there is no such user any more
 * @throws AppError SUSPENDED when the account is suspended
 */
export async function actorOfToken(
  ctx: Ctx,
  record: ApiTokenRecord,
): Promise<{ actor: SignedInUser } | null> {
  const user = await repos(ctx).users.find(record.userId);
  if (user === null || isGone(user, ctx.now())) return null;
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  await recordUse(ctx, record);
  await recordSeen(ctx, user);
  const { tokenId, scope } = record;
  const actor = actorOf(ctx, user, { signInId: `token:${tokenId}`, authenticatedAt: new Date(0) });
  return { actor: { ...actor, apiToken: { id: tokenId, scope } } };
}

/** The token id of programs started from the terminal; no personal token has it. */
const TERMINAL = 'terminal';

/**
 * The context of a program started from the terminal for an account: it may do what a personal token of the account may,
 * and no more. Call it for each request, so that requests are rate-limited like those of a token.
 * @throws AppError NOT_FOUND (no such account), SUSPENDED, RATE_LIMITED
 */
export async function contextOfProgram(ctx: Ctx, email: string, scope: ApiTokenScope): Promise<Ctx> {
  authorise(ctx.actor, 'account.open-to-program');
  const user = await getUserByEmail(ctx, email);
  if (isGone(user, ctx.now())) throw new AppError('NOT_FOUND', 'There is no account with this email.');
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  await ctx.throttle.take({ rule: THROTTLE_RULES.api, who: `${TERMINAL}:${user.id}` });
  const actor = actorOf(ctx, user, { signInId: TERMINAL, authenticatedAt: new Date(0) });
  return contextAs(ctx, { ...actor, apiToken: { id: TERMINAL, scope } });
}
