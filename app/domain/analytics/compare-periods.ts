/** Fewer days than this on either side are not compared. */
export const LEAST_SAMPLE = 5;

/** One side of a comparison. */
export interface Sample {
  /** Days. */
  days: number;
  /** How often it happened on them. */
  events: number;
}

/** Side effects on days with a dose beside days without one. */
export interface Comparison {
  withDose: Sample;
  withoutDose: Sample;
  /** Events a day on each side; null when a side has too few days. */
  rates: { withDose: number; withoutDose: number } | null;
}

/**
 * Compares how often something happened on days with a dose and on days without one. It says nothing about causes.
 * @param days every day that is looked at
 */
export function compareDays(
  days: readonly string[],
  doses: ReadonlyMap<string, number>,
  events: ReadonlyMap<string, number>,
): Comparison {
  const sides = { withDose: { days: 0, events: 0 }, withoutDose: { days: 0, events: 0 } };
  for (const day of days) {
    const side = (doses.get(day) ?? 0) > 0 ? sides.withDose : sides.withoutDose;
    side.days += 1;
    side.events += events.get(day) ?? 0;
  }
  const { withDose, withoutDose } = sides;
  const enough = Math.min(withDose.days, withoutDose.days) >= LEAST_SAMPLE;
  const rate = ({ days: n, events: times }: Sample) => times / n;
  return { ...sides, rates: enough ? { withDose: rate(withDose), withoutDose: rate(withoutDose) } : null };
}

/** Side effects of a day beside its doses. */
export interface EffectDayInput {
  day: string;
  doses: number;
  effects: number;
  /** Mean of 1 to 5; null on a day without any. */
  severity: number | null;
}
