import { randomBytes } from 'node:crypto';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { isGone, isSecondFactorRequired } from '#app/domain/accounts/account.ts';
import { comesBack } from '#app/domain/admin/account-standing.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { usualSyringe } from '#app/domain/calculator/own-syringe.ts';
import { AppError } from '#app/domain/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { whereRoom, type SessionRecord, type UserRecord } from '#models/index.server.ts';
import { authorise, authoriseUser, type Resource } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { repos } from './repositories.server.ts';

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

/** A new session: `token` goes to the browser and is stored nowhere else. */
export interface StartedSession {
  token: string;
  session: SessionSummary;
}

/** The user and session that a token belongs to. */
export interface ResolvedSession {
  actor: SignedInUser;
  session: SessionSummary;
}

/** A session ends after a day without use; with "remember me" it lasts the full 30 days. */
const IDLE_MS = DAY_MS;
/** No session outlives this, however much it is used. */
const LONGEST_MS = 30 * DAY_MS;
/** The most sessions of an account; a further one ends the oldest. */
const MAX_SESSIONS = 50;
/** A session's last use is recorded at most this often. */
export const TOUCH_MS = MINUTE_MS;
/** An account's last-seen time is updated at most this often. */
const SEEN_MS = HOUR_MS;

/** When a session that is used now expires if it is not used again. */
function expiryAfterUse(session: { endsAt: Date; remember: boolean }, now: Date): Date {
  if (session.remember) return session.endsAt;
  return new Date(Math.min(now.getTime() + IDLE_MS, session.endsAt.getTime()));
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

/** The user of a session, with their current entitlement. */
export function actorOf(
  ctx: Pick<Ctx, 'appUrl' | 'now' | 'isSelling'>,
  user: UserRecord,
  session: Pick<SessionRecord, 'signInId' | 'authenticatedAt'>,
): SignedInUser {
  const { id, email, role, timeZone, doseUnit, syringes } = user;
  return {
    kind: 'user',
    id,
    email,
    role,
    timeZone,
    doseUnit,
    syringe: usualSyringe(user),
    syringes,
    sessionId: session.signInId,
    authenticatedAt: session.authenticatedAt,
    hasConfirmedEmail: user.emailConfirmedAt !== null,
    lacksSecondFactor: isSecondFactorRequired(role, ctx.appUrl) && user.secondFactorAt == null,
    deleteAfter: user.deleteAfter ?? null,
    entitlement: entitlementOf(user, ctx),
  };
}

/** The facts about the client that are stored. */
const clientFacts = ({ client }: Ctx) => ({
  address: client.address,
  userAgent: client.userAgent?.slice(0, 300) ?? null,
});

/** Ends the oldest sessions of an account that has too many. */
async function endOldestSessions(ctx: Ctx, userId: string): Promise<void> {
  const running = await repos(ctx).sessions.list(userId, ctx.now());
  if (running.length <= MAX_SESSIONS) return;
  const oldestFirst = running.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  for (const { signInId } of oldestFirst.slice(0, -MAX_SESSIONS)) await endSignIn(ctx, userId, signInId);
}

/**
 * Starts a session for a user. An account with too many loses its oldest. With `signInId`, that sign-in continues under a new secret instead.
 * @param options.revision of the password and address that were verified
 * @param options.stillHolds whether the other proof is still valid
 * @throws AppError INVALID_CREDENTIALS when they have changed since
 */
export async function startSession(
  ctx: Ctx,
  userId: string,
  options: {
    remember: boolean;
    signInId?: string;
    revision?: number;
    stillHolds?: (() => Promise<boolean>) | undefined;
  },
): Promise<StartedSession> {
  const now = ctx.now();
  const token = newToken();
  const endsAt = new Date(now.getTime() + LONGEST_MS);
  const record: SessionRecord = {
    tokenHash: hashToken(token),
    userId,
    signInId: options.signInId ?? randomBytes(12).toString('hex'),
    createdAt: now,
    lastUsedAt: now,
    authenticatedAt: now,
    expiresAt: expiryAfterUse({ endsAt, remember: options.remember }, now),
    endsAt,
    remember: options.remember,
    endedAt: null,
    ...clientFacts(ctx),
  };
  await ctx.transaction(async () => {
    if (options.revision !== undefined) {
      const credential = await repos(ctx).users.findCredential(userId);
      const holds = (await options.stillHolds?.()) ?? true;
      if (credential?.revision !== options.revision || !holds)
        throw new AppError('INVALID_CREDENTIALS', ACCOUNT_MESSAGES.invalidCredentials);
    }
    await repos(ctx).sessions.create(record);
    // Also makes it conflict with a change of the credentials at the same moment.
    await repos(ctx).users.recordSignIn(userId, now);
    await endOldestSessions(ctx, userId);
  });
  return { token, session: summary(record, record.signInId) };
}

/** The unexpired session of a token. It may have been ended: its row stays until its data is cleared. */
async function findUnexpired(ctx: Ctx, token: string): Promise<SessionRecord | null> {
  if (!isToken(token)) return null;
  const record = await repos(ctx).sessions.findByTokenHash(hashToken(token));
  return record !== null && record.expiresAt.getTime() > ctx.now().getTime() ? record : null;
}

/** The running session of a token; null when it has expired or was ended. */
export async function findRunningSession(ctx: Ctx, token: string): Promise<SessionRecord | null> {
  const record = await findUnexpired(ctx, token);
  return record === null || record.endedAt !== null ? null : record;
}

/** Updates the account's last-seen time, unless it was updated recently. */
export async function recordSeen(ctx: Ctx, user: UserRecord): Promise<void> {
  const at = ctx.now();
  const unlessAfter = new Date(at.getTime() - SEEN_MS);
  if (user.lastSeenAt > unlessAfter) return;
  const touch = () => repos(ctx).users.touch(user.id, at, unlessAfter);
  // The figures have to notice whoever comes back after a month.
  await whereRoom(comesBack(user, at) ? ctx.transaction(touch) : touch());
}

async function recordUse(ctx: Ctx, record: SessionRecord): Promise<void> {
  const at = ctx.now();
  const unlessAfter = new Date(at.getTime() - TOUCH_MS);
  if (record.lastUsedAt > unlessAfter) return;
  const expiresAt = expiryAfterUse(record, at);
  await whereRoom(repos(ctx).sessions.touch(record, { at, expiresAt, unlessAfter }));
}

/**
 * The user and session of a token.
 * @returns null when the token is unknown, or its session has expired or was ended
 * @throws AppError SUSPENDED when the account is suspended, even for a session that the suspension ended
 */
export async function resolveSession(
  ctx: Ctx,
  token: string | null | undefined,
): Promise<ResolvedSession | null> {
  const record = token ? await findUnexpired(ctx, token) : null;
  if (record === null) return null;
  const user = await repos(ctx).users.find(record.userId);
  if (user === null || isGone(user, ctx.now())) return null;
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  if (record.endedAt !== null) return null;
  await recordUse(ctx, record);
  await recordSeen(ctx, user);
  return { actor: actorOf(ctx, user, record), session: summary(record, record.signInId) };
}

/**
 * Gives a running session a new secret. The old one stops working; everything else about the session stays the same,
 * including the time of sign-in and the final expiry.
 * @param step set when the password was just entered
 * @throws AppError UNAUTHENTICATED when the token belongs to no running session, or another call just replaced it
 */
export async function rotateSession(
  ctx: Ctx,
  token: string,
  step: { authenticatedAt?: Date } = {},
): Promise<StartedSession> {
  const signInAgain = () => new AppError('UNAUTHENTICATED', 'Please sign in first.');
  const old = await findRunningSession(ctx, token);
  if (old === null) throw signInAgain();
  const { userId } = old;
  authorise(ctx.actor, 'session.manage', { ownerId: userId });
  const newSecret = newToken();
  const at = ctx.now();
  const record: SessionRecord = {
    ...old,
    ...step,
    ...clientFacts(ctx),
    tokenHash: hashToken(newSecret),
    lastUsedAt: at,
    expiresAt: expiryAfterUse(old, at),
  };
  await ctx.transaction(async () => {
    // Only the call that removes the old secret continues: one of several at once, none if the sign-in was ended meanwhile.
    if (!(await repos(ctx).sessions.takeToken(userId, old.tokenHash))) throw signInAgain();
    await repos(ctx).sessions.create(record);
  });
  return { token: newSecret, session: summary(record, record.signInId) };
}

/** The running sessions of the signed-in user, the most recently used first. */
export async function listSessions(ctx: Ctx): Promise<SessionSummary[]> {
  const user = authoriseUser(ctx.actor, 'session.manage');
  const records = await repos(ctx).sessions.list(user.id, ctx.now());
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
 * Ends one of the signed-in user's sessions and clears its data.
 * @throws AppError NOT_FOUND when the user has no such session
 */
export async function revokeSession(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'session.manage');
  if (!(await repos(ctx).sessions.isRunning(user.id, id, ctx.now()))) {
    throw new AppError('NOT_FOUND', 'There is no such session.');
  }
  await endSignIn(ctx, user.id, id);
}

/** Ends the current session, if there is one. */
export async function signOut(ctx: Ctx): Promise<void> {
  authorise(ctx.actor, 'session.end');
  if (ctx.actor.kind === 'user') await endSignIn(ctx, ctx.actor.id, ctx.actor.sessionId);
}

/** The account whose sessions an admin ends. */
type Subject = NonNullable<Resource['subject']>;

/**
 * Ends all sessions of an account, as if each browser had signed out.
 * @throws AppError FORBIDDEN for all but administrators who may change this account
 */
export async function endAllSessions(ctx: Ctx, subject: Subject): Promise<void> {
  authorise(ctx.actor, 'session.end-all', { subject });
  await endSignIns(ctx, subject.id, null);
}

/**
 * Ends one session of an account, as if its browser had signed out.
 * @throws AppError FORBIDDEN for all but administrators who may change this account
 */
export async function endSessionOf(ctx: Ctx, subject: Subject, id: string): Promise<void> {
  authorise(ctx.actor, 'session.end-all', { subject });
  await endSignIn(ctx, subject.id, id);
}

/**
 * Ends all sessions of an account that was suspended or is being deleted. Their rows stay until they expire, so that each
 * browser learns the reason on its next request.
 * @throws AppError FORBIDDEN for all but administrators who may change this account
 */
export async function refuseAllSessions(ctx: Ctx, subject: Subject): Promise<void> {
  authorise(ctx.actor, 'session.end-all', { subject });
  const signIns = await repos(ctx).sessions.refuseAll(subject.id, ctx.now());
  for (const signInId of signIns) await clearCalculations(ctx, subject.id, signInId);
}

/** Ends all sign-ins of an account except the one to keep. */
export async function endSignIns(ctx: Ctx, userId: string, keep: string | null): Promise<void> {
  for (const signInId of await repos(ctx).sessions.listSignIns(userId)) {
    if (signInId !== keep) await endSignIn(ctx, userId, signInId);
  }
}

/**
 * Ends one sign-in. Marks it as ended, clears its data, then deletes its rows. {@link clearEndedSessions} completes an
 * interrupted run.
 */
export async function endSignIn(ctx: Ctx, userId: string, signInId: string): Promise<void> {
  const now = ctx.now();
  await repos(ctx).sessions.markEnded(userId, signInId, now);
  // A browser that signs out gets no more push messages; one whose session merely expired still does.
  await repos(ctx).pushSubscriptions.deleteOfSignIn(userId, signInId);
  await clearCalculations(ctx, userId, signInId);
  await repos(ctx).sessions.deleteEnded(userId, signInId, now);
}

/** Deletes an ended sign-in's calculations on the free plan, and keeps them permanently with Premium. */
async function clearCalculations(ctx: Ctx, userId: string, signInId: string): Promise<void> {
  const user = await repos(ctx).users.find(userId);
  const isPremium = user !== null && entitlementOf(user, ctx).isPremium;
  if (isPremium) await repos(ctx).calculations.keep(userId, signInId);
  else await repos(ctx).calculations.clearSignIn(userId, signInId);
}

const BATCH = 100;

/**
 * Removes expired sessions and their data. For the worker; concurrent runs are harmless.
 * @returns how many sessions were removed
 */
export async function clearEndedSessions(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'session.clear');
  let cleared = 0;
  for (;;) {
    const now = ctx.now();
    const ended = await repos(ctx).sessions.findOver(now, BATCH);
    for (const { userId, signInId } of ended) {
      // In versions without transactions an interrupted rotation left an old row of a sign-in that continues.
      const isRunning = await repos(ctx).sessions.isRunning(userId, signInId, now);
      if (!isRunning) await clearCalculations(ctx, userId, signInId);
      await repos(ctx).sessions.deleteEnded(userId, signInId, now);
    }
    cleared += ended.length;
    if (ended.length < BATCH) return cleared;
  }
}
