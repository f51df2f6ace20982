/** The lowest and the highest level of a stretch of time. */
export interface Stretch {
  /** Its middle, epoch milliseconds. */
  at: number;
  low: number;
  high: number;
}

/**
 * What a curve goes up and down between, stretch by stretch, where its single peaks are too many to draw.
 * @param points in the order of time
 * @param from where the first stretch begins, epoch milliseconds
 * @param lengthMs of a stretch
 */
export function envelopeOf(points: readonly Stretch[], from: number, lengthMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { at, low, high } of points) {
    const middle = from + (Math.floor((at - from) / lengthMs) + 0.5) * lengthMs;
    const last = stretches.at(-1);
    if (last?.at === middle) {
      last.low = Math.min(last.low, low);
      last.high = Math.max(last.high, high);
    } else stretches.push({ at: middle, low, high });
  }
  return stretches;
}
