import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { conflict, isAppError } from '#app/domain/errors.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

const SECOND_MS = 1000;
/** How long a response is kept for repetitions. */
const KEPT_MS = 24 * 3600 * SECOND_MS;
/** After this time an unfinished run counts as interrupted, and a repetition may run. */
const LEASE_MS = 60 * SECOND_MS;

/** A write that its sender may repeat, not knowing whether it arrived. */
export interface RepeatableCall {
  /** The sender's key. */
  key: string;
  /** Equal for equal requests. */
  fingerprint: string;
  /** False if the response contains a secret and must not be stored; a repetition is told that it was done. */
  keepsAnswer: boolean;
}

const idOf = (userId: string, key: string): string =>
  createHash('sha256').update(`${userId}\n${key}`).digest('base64url');

function claimFrom(now: Date, fingerprint: string) {
  const after = (ms: number) => new Date(now.getTime() + ms);
  return { fingerprint, claimedUntil: after(LEASE_MS), expiresAt: after(KEPT_MS) };
}

/** How long to wait before a record that the database did not take is written again. */
const AGAIN_MS = 250;

/**
 * Records how a run ended. While the database does not answer, as during an election, this goes on after the answer has been
 * given, until another run may begin anyway: otherwise a client that repeats a failed call would have to wait for that.
 */
async function record(ctx: Ctx, write: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + LEASE_MS;
  const isAway = (error: unknown) => isAppError(error) && error.code === 'DATABASE_UNAVAILABLE';
  const goOn = async () => {
    while (performance.now() < giveUpAt) {
      await wait(AGAIN_MS, undefined, { ref: false });
      try {
        return await write();
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
  };
  try {
    await write();
  } catch (error) {
    if (!isAway(error)) throw error;
    void goOn().catch((err: unknown) =>
      ctx.log.error({ err }, 'the end of a repeatable call was not recorded'),
    );
  }
}

/** Runs something once per form key, even if the form arrives twice. A failed run may be repeated. */
export async function oncePerFormKey(
  ctx: Ctx,
  userId: string,
  idempotencyKey: string,
  run: () => Promise<void>,
): Promise<void> {
  const id = idOf(userId, idempotencyKey);
  const claim = claimFrom(ctx.now(), idempotencyKey);
  if ((await repos(ctx).idempotentCalls.claim(userId, id, claim, ctx.now())) !== null) return;
  try {
    await run();
  } catch (error) {
    await record(ctx, () => repos(ctx).idempotentCalls.release(userId, id, claim.claimedUntil));
    throw error;
  }
  await record(ctx, () => repos(ctx).idempotentCalls.finish(userId, id, claim.claimedUntil, ''));
}

/**
 * Runs something once per key of the signed-in user. Of any number of concurrent calls only one runs; later ones get its
 * response for 24 hours. A failed run leaves the key unused.
 * @throws AppError CONFLICT if the key was used for another request, for one still running, or for one whose response was a
 * secret; and errors of `run`
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
  const found = await repos(ctx).idempotentCalls.claim(userId, id, claim, now);
  if (found !== null) {
    if (found.fingerprint !== call.fingerprint)
      throw conflict(
        'KEY_REUSED',
        'This Idempotency-Key was already used for another request. Nothing was done; use a new key.',
      );
    if (found.answer === null)
      throw conflict(
        'KEY_IN_USE',
        'A request with this Idempotency-Key is still running; this one did nothing.',
        { retryAfterSeconds: 1 },
      );
    if (found.answer === '')
      throw conflict(
        'SECRET_NOT_KEPT',
        'The first request with this Idempotency-Key was carried out. Its response contained a secret and was not stored, so it cannot be returned again.',
      );
    return { answer: JSON.parse(found.answer) as Answer, isRepeated: true };
  }
  let answer: Answer;
  try {
    answer = await run();
  } catch (error) {
    await record(ctx, () => repos(ctx).idempotentCalls.release(userId, id, claim.claimedUntil));
    throw error;
  }
  const stored = call.keepsAnswer ? JSON.stringify(answer) : '';
  await record(ctx, () => repos(ctx).idempotentCalls.finish(userId, id, claim.claimedUntil, stored));
  return { answer, isRepeated: false };
}
