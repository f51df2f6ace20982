import { HOUR_MS } from '#app/domain/time/calendar.ts';

const SECOND_MS = 1000;

/** The most attempts for one delivery. */
export const MOST_ATTEMPTS = 8;

/** How long an undelivered reminder is still worth sending, in ms. */
export const DELIVERY_LIFE_MS = 6 * HOUR_MS;

/** Growing pauses between attempts: each is `factor` times as long as the one before. */
interface GrowingPauses {
  firstMs: number;
  factor: number;
  longestMs: number;
}

/** The pause after the given number of attempts, in ms. */
export function pauseAfter(attempts: number, { firstMs, factor, longestMs }: GrowingPauses): number {
  return Math.min(firstMs * factor ** (attempts - 1), longestMs);
}

const PAUSES: GrowingPauses = { firstMs: 15 * SECOND_MS, factor: 4, longestMs: HOUR_MS };

/**
 * When to retry a failed delivery: after 15 s, then after pauses that are four times as long each time, at most an hour,
 * and never sooner than the receiver asks.
 * @param attempts attempts so far, from 1
 * @param requestedPauseMs the receiver's Retry-After, in ms
 * @returns null to give up
 */
export function nextAttempt(
  now: Date,
  madeAt: Date,
  attempts: number,
  requestedPauseMs: number | null,
): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const at = new Date(now.getTime() + Math.max(pauseAfter(attempts, PAUSES), requestedPauseMs ?? 0));
  return at.getTime() - madeAt.getTime() > DELIVERY_LIFE_MS ? null : at;
}

/**
 * When to retry a failed delivery that has a deadline: after a growing pause, never sooner than the receiver asks. The
 * last attempt is at the deadline.
 * @returns null to give up
 */
export function nextAttemptUntil(
  now: Date,
  end: Date,
  {
    attempts,
    requestedPauseMs,
    pauses,
  }: { attempts: number; requestedPauseMs: number | null; pauses: GrowingPauses },
): Date | null {
  if (now >= end) return null;
  const at = now.getTime() + Math.max(pauseAfter(attempts, pauses), requestedPauseMs ?? 0);
  return new Date(Math.min(at, end.getTime()));
}
