import { HOUR_MS } from '#app/domain/time/calendar.ts';

const SECOND_MS = 1000;

/** How many times one delivery is tried. */
export const MOST_ATTEMPTS = 8;

/** After this long an undelivered reminder is not worth sending any more, in ms. */
export const DELIVERY_LIFE_MS = 6 * HOUR_MS;

/** Pauses that grow: the first, how many times as long each further one is, and the longest. */
interface GrowingPauses {
  firstMs: number;
  factor: number;
  longestMs: number;
}

/** The pause after so many tries, in ms. */
export function pauseAfter(attempts: number, { firstMs, factor, longestMs }: GrowingPauses): number {
  return Math.min(firstMs * factor ** (attempts - 1), longestMs);
}

const PAUSES: GrowingPauses = { firstMs: 15 * SECOND_MS, factor: 4, longestMs: HOUR_MS };

/**
 * When a failed delivery is tried again: after 15 s, then four times as long each time, at most an hour, and never
 * sooner than the receiver asks.
 * @param attempts how many times it was tried, from 1
 * @param asked the receiver's Retry-After, in ms
 * @returns null to give up
 */
export function nextAttempt(now: Date, madeAt: Date, attempts: number, asked: number | null): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const at = new Date(now.getTime() + Math.max(pauseAfter(attempts, PAUSES), asked ?? 0));
  return at.getTime() - madeAt.getTime() > DELIVERY_LIFE_MS ? null : at;
}

/**
 * When a failed delivery with an end is tried again: after a growing pause, never sooner than the receiver asks, the last
 * time at its end.
 * @returns null to give up
 */
export function nextAttemptUntil(
  now: Date,
  end: Date,
  { attempts, asked, pauses }: { attempts: number; asked: number | null; pauses: GrowingPauses },
): Date | null {
  if (now >= end) return null;
  const at = now.getTime() + Math.max(pauseAfter(attempts, pauses), asked ?? 0);
  return new Date(Math.min(at, end.getTime()));
}
