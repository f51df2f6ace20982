import { randomBytes } from 'node:crypto';
import { isGone } from '#app/domain/accounts/deletion-grace.ts';
import { AppError } from '#app/domain/errors.ts';
import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import type { SessionRecord, UserRecord } from '#models/index.server.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { isSecondFactorRequired } from './second-factor-check.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { endSignIn } from './session-revocation.server.ts';
import { endOf, expiryAfterUse, SEEN_MS, TOUCH_MS } from './session-lifetimes.server.ts';

/** A session as its owner sees it. */
export interface SessionSummary {
  /** Names the sign-in; not a secret. */
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  remember: boolean;
  address: string;
  userAgent: string | null;
  /** True for the session that asks. */
  isCurrent: boolean;
}

/** A new session: `token` goes to the browser and is kept nowhere else. */
export interface StartedSession {
  token: string;
  session: SessionSummary;
}

/** What a token stands for now. */
export interface ResolvedSession {
  actor: SignedInUser;
  session: SessionSummary;
}

function summary(record: SessionRecord, currentId: string | null): SessionSummary {
  const { signInId, createdAt, lastUsedAt, expiresAt, remember, address, userAgent } = record;
  return {
    id: signInId,
    createdAt,
    lastUsedAt,
    expiresAt,
    remember,
    address,
    userAgent,
    isCurrent: signInId === currentId,
  };
}

/** The user behind a session, with what they may use now. */
export function actorOf(
  ctx: Ctx,
  user: UserRecord,
  session: Pick<SessionRecord, 'signInId' | 'authenticatedAt'>,
): SignedInUser {
  const { id, email, role, timeZone, doseUnit } = user;
  return {
    kind: 'user',
    id,
    email,
    role,
    timeZone,
    doseUnit,
    sessionId: session.signInId,
    authenticatedAt: session.authenticatedAt,
    lacksSecondFactor: isSecondFactorRequired(ctx, role) && user.secondFactorAt == null,
    entitlement: entitlementOf(user, ctx.now()),
  };
}

/** Begins a session of a user. With `signInId` it goes on under a new secret instead of beginning anew. */
export async function startSession(
  ctx: Ctx,
  userId: string,
  options: { remember: boolean; signInId?: string; authenticatedAt?: Date },
): Promise<StartedSession> {
  const now = ctx.now();
  const token = newToken();
  const endsAt = endOf(now);
  const record: SessionRecord = {
    tokenHash: hashToken(token),
    userId,
    signInId: options.signInId ?? randomBytes(12).toString('hex'),
    createdAt: now,
    lastUsedAt: now,
    authenticatedAt: options.authenticatedAt ?? now,
    expiresAt: expiryAfterUse({ endsAt, remember: options.remember }, now),
    endsAt,
    remember: options.remember,
    endedAt: null,
    address: ctx.client.address,
    userAgent: ctx.client.userAgent?.slice(0, 300) ?? null,
  };
  await ctx.repos.sessions.insert(record);
  return { token, session: summary(record, record.signInId) };
}

/** The session of a token unless its time is over. One that was ended may still be here; it opens nothing. */
async function findInTime(ctx: Ctx, token: string): Promise<SessionRecord | null> {
  if (!isToken(token)) return null;
  const record = await ctx.repos.sessions.findByTokenHash(hashToken(token));
  return record !== null && record.expiresAt.getTime() > ctx.now().getTime() ? record : null;
}

async function recordUse(ctx: Ctx, record: SessionRecord, user: UserRecord): Promise<void> {
  const at = ctx.now();
  if (at.getTime() - record.lastUsedAt.getTime() >= TOUCH_MS) {
    const unlessAfter = new Date(at.getTime() - TOUCH_MS);
    await ctx.repos.sessions.touch(record.tokenHash, {
      at,
      expiresAt: expiryAfterUse(record, at),
      unlessAfter,
    });
  }
  if (at.getTime() - user.lastSeenAt.getTime() >= SEEN_MS) {
    await ctx.repos.users.touch(user.id, at, new Date(at.getTime() - SEEN_MS));
  }
}

/**
 * Who holds this token now.
 * @returns null when the token is unknown or its session is over
 * @throws AppError SUSPENDED when the account is suspended, also to a session that the suspension ended
 */
export async function resolveSession(
  ctx: Ctx,
  token: string | null | undefined,
): Promise<ResolvedSession | null> {
  const record = token ? await findInTime(ctx, token) : null;
  if (record === null) return null;
  const user = await ctx.repos.users.findById(record.userId);
  if (user === null || isGone(user, ctx.now())) return null;
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  if (record.endedAt !== null) return null;
  await recordUse(ctx, record, user);
  return { actor: actorOf(ctx, user, record), session: summary(record, record.signInId) };
}

/**
 * Gives a running session a new secret; the old one is dead, and what belongs to the session stays with it.
 * @param step says that the password was entered just now
 * @throws AppError UNAUTHENTICATED when the token is not of a running session
 */
export async function rotateSession(
  ctx: Ctx,
  token: string,
  step: { authenticatedAt?: Date } = {},
): Promise<StartedSession> {
  const record = await findInTime(ctx, token);
  if (record === null || record.endedAt !== null)
    throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  authorise(ctx.actor, 'session.manage', { ownerId: record.userId });
  const started = await startSession(ctx, record.userId, { ...record, ...step });
  await ctx.repos.sessions.removeToken(record.userId, record.tokenHash);
  return started;
}

/** Which sign-in a token belongs to, of whom; null when it is over. For the token that a new sign-in replaces. */
export async function findSignIn(ctx: Ctx, token: string): Promise<SessionRecord | null> {
  const record = await findInTime(ctx, token);
  return record === null || record.endedAt !== null ? null : record;
}

/** The running sessions of the signed-in user, the last used first. */
export async function listSessions(ctx: Ctx): Promise<SessionSummary[]> {
  const user = authoriseUser(ctx.actor, 'session.manage');
  const records = await ctx.repos.sessions.list(user.id, ctx.now());
  return records.map((record) => summary(record, user.sessionId));
}

/**
 * One of the signed-in user's running sessions.
 * @throws AppError NOT_FOUND when the user has no such session
 */
export async function getSession(ctx: Ctx, id: string): Promise<SessionSummary> {
  const found = (await listSessions(ctx)).find((session) => session.id === id);
  if (found === undefined) throw new AppError('NOT_FOUND', 'There is no such session.');
  return found;
}

/**
 * Ends one of the signed-in user's sessions, and with it what belongs to it.
 * @throws AppError NOT_FOUND when the user has no such session
 */
export async function revokeSession(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'session.manage');
  if (!(await ctx.repos.sessions.isRunning(user.id, id, ctx.now()))) {
    throw new AppError('NOT_FOUND', 'There is no such session.');
  }
  await endSignIn(ctx, user.id, id);
}

/** Ends the session that asks. Without one there is nothing to do. */
export async function signOut(ctx: Ctx): Promise<void> {
  if (ctx.actor.kind === 'user') await endSignIn(ctx, ctx.actor.id, ctx.actor.sessionId);
}
