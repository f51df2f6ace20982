import { createHash } from 'node:crypto';
import { conflict } from '#app/domain/errors.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

const SECOND_MS = 1000;
/** How long an answer is kept for a repetition. */
const KEPT_MS = 24 * 3600 * SECOND_MS;
/** After so long a run that never ended counts as cut off, and a repetition may run. */
const LEASE_MS = 60 * SECOND_MS;

/** A write that its sender may have to send again, not knowing whether it arrived. */
export interface RepeatableCall {
  /** The sender's name for it. */
  key: string;
  /** Equal for equal requests. */
  fingerprint: string;
  /** False when the answer holds a secret, which is stored nowhere: a repetition is then told that it was done. */
  keepsAnswer: boolean;
}

const stillRunning = () =>
  conflict('KEY_IN_USE', 'A request with this Idempotency-Key is still running; this one did nothing.', {
    retryAfterSeconds: 1,
  });

const idOf = (userId: string, key: string): string =>
  createHash('sha256').update(`${userId}\n${key}`).digest('base64url');

function claimFrom(now: Date, fingerprint: string) {
  const after = (ms: number) => new Date(now.getTime() + ms);
  return { fingerprint, claimedUntil: after(LEASE_MS), expiresAt: after(KEPT_MS) };
}

/** Runs something once for a press of a button, which may arrive twice; later ones do nothing. A run that fails may be repeated. */
export async function oncePerPress(
  ctx: Ctx,
  userId: string,
  idempotencyKey: string,
  run: () => Promise<void>,
): Promise<void> {
  const id = idOf(userId, idempotencyKey);
  const claim = claimFrom(ctx.now(), idempotencyKey);
  if ((await ctx.repos.idempotentCalls.claim(userId, id, claim, ctx.now())) !== null) return;
  try {
    await run();
  } catch (error) {
    await ctx.repos.idempotentCalls.release(userId, id, claim.claimedUntil);
    throw error;
  }
  await ctx.repos.idempotentCalls.finish(userId, id, claim.claimedUntil, '');
}

/**
 * Runs something once for a key of the signed-in user. Of any number of calls at once one runs; later ones get its
 * answer for 24 hours. A run that fails leaves the key free.
 * @throws AppError CONFLICT when the key stands for another request, for one that still runs, or for one whose answer
 * was a secret; and whatever `run` throws
 */
export async function runOnce<Answer>(
  ctx: Ctx,
  call: RepeatableCall,
  run: () => Promise<Answer>,
): Promise<{ answer: Answer; isRepeated: boolean }> {
  const { id: userId } = authoriseUser(ctx.actor, 'api.call');
  const id = idOf(userId, call.key);
  const now = ctx.now();
  const claim = claimFrom(now, call.fingerprint);
  const found = await ctx.repos.idempotentCalls.claim(userId, id, claim, now);
  if (found !== null) {
    if (found.fingerprint !== call.fingerprint)
      throw conflict(
        'KEY_REUSED',
        'This Idempotency-Key was used for another request. Nothing was done; send this one with a key of its own.',
      );
    if (found.answer === null) throw stillRunning();
    if (found.answer === '')
      throw conflict(
        'SECRET_NOT_KEPT',
        'The first request with this Idempotency-Key was carried out. Its answer held a secret and was not kept, so it cannot be given again.',
      );
    return { answer: JSON.parse(found.answer) as Answer, isRepeated: true };
  }
  try {
    const answer = await run();
    const kept = call.keepsAnswer ? JSON.stringify(answer) : '';
    await ctx.repos.idempotentCalls.finish(userId, id, claim.claimedUntil, kept);
    return { answer, isRepeated: false };
  } catch (error) {
    await ctx.repos.idempotentCalls.release(userId, id, claim.claimedUntil);
    throw error;
  }
}
