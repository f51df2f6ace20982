const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** How often one delivery is tried. */
export const MOST_ATTEMPTS = 8;

/** A reminder that could not be delivered for so long is not worth sending any more, in ms. */
export const DELIVERY_LIFE_MS = 6 * HOUR_MS;

/**
 * When a delivery that failed is tried again: after 15 s, then four times as long each time, at most an hour; never
 * sooner than the other side asks.
 * @param attempts how often it was tried, from 1
 * @param asked what the other side's Retry-After says, in ms
 * @returns null when it is given up
 */
export function nextAttempt(now: Date, madeAt: Date, attempts: number, asked: number | null): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const pause = Math.min(15 * SECOND_MS * 4 ** (attempts - 1), HOUR_MS);
  const at = new Date(now.getTime() + Math.max(pause, asked ?? 0));
  return at.getTime() - madeAt.getTime() > DELIVERY_LIFE_MS ? null : at;
}
