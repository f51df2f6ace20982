import { HOUR_MS } from '#app/domain/time/durations.ts';

const SECOND_MS = 1000;

/** How many times one delivery is tried. */
export const MOST_ATTEMPTS = 8;

/** After this long an undelivered reminder is not worth sending any more, in ms. */
export const DELIVERY_LIFE_MS = 6 * HOUR_MS;

/**
 * When a failed delivery is tried again: after 15 s, then four times as long each time, at most an hour, and never
 * sooner than the receiver asks.
 * @param attempts how many times it was tried, from 1
 * @param asked the receiver's Retry-After, in ms
 * @returns null to give up
 */
export function nextAttempt(now: Date, madeAt: Date, attempts: number, asked: number | null): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const pause = Math.min(15 * SECOND_MS * 4 ** (attempts - 1), HOUR_MS);
  const at = new Date(now.getTime() + Math.max(pause, asked ?? 0));
  return at.getTime() - madeAt.getTime() > DELIVERY_LIFE_MS ? null : at;
}
