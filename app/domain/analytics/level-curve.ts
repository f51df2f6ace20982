import { emptyBody, peakHours, type Kinetics, type ModelDose } from './kinetics.ts';
import { HOUR_MS } from '#app/domain/time/calendar.ts';

/** A point of a curve. */
export interface LevelPoint {
  /** Instant in milliseconds. */
  at: number;
  level: number;
}

/** More points than this are not computed: a shorter period is asked for. */
export const MAX_SAMPLES = 400_000;

/** Sampled at least this often, so that a long half-life still gives a smooth line. */
const LEAST_SAMPLES = 200;

/** A quarter of the half-life. A quicker absorption is seen at the dose and at its peak, which are points of their own. */
function stepOf({ halfLifeHours }: Kinetics, from: number, to: number): number {
  const quarter = (halfLifeHours * HOUR_MS) / 4;
  return Math.max(Math.min(quarter, (to - from) / LEAST_SAMPLES), (to - from) / MAX_SAMPLES);
}

/**
 * The relative level from `from` to `to`: a point at each dose, before and after it, at the peak that follows each dose,
 * and at least at every quarter of the half-life, so that no peak falls between two points. Doses before `from` count with what is left of them.
 * @param doses in any order; instants and the ends in milliseconds
 */
export function* levelCurve(
  doses: readonly ModelDose[],
  kinetics: Kinetics,
  from: number,
  to: number,
): Generator<LevelPoint> {
  const queue = doses.filter(({ at }) => at <= to).sort((a, b) => a.at - b.at);
  const body = emptyBody(kinetics);
  const step = stepOf(kinetics, from, to);
  const first = queue[0];
  let now = first === undefined ? from : Math.min(first.at, from);
  let next = 0;
  const advance = (at: number) => {
    body.wait(at - now);
    now = at;
  };
  for (let dose = queue[next]; dose !== undefined && dose.at < from; dose = queue[(next += 1)]) {
    advance(dose.at);
    body.take(dose.amount);
  }
  advance(from);
  const untilPeak = peakHours(kinetics) * HOUR_MS;
  const peaks = untilPeak === 0 ? [] : queue.map(({ at }) => at + untilPeak).filter((at) => at > from);
  let peak = 0;
  const peaksUpTo = function* (end: number): Generator<LevelPoint> {
    for (let at = peaks[peak]; at !== undefined && at <= end; at = peaks[(peak += 1)]) {
      advance(at);
      yield { at, level: body.level() };
    }
  };
  const isPeakUpTo = (end: number): boolean => (peaks[peak] ?? Infinity) <= end;
  for (let sample = 0; ; sample += 1) {
    const due = Math.min(from + sample * step, to);
    for (let dose = queue[next]; dose !== undefined && dose.at <= due; dose = queue[(next += 1)]) {
      if (isPeakUpTo(dose.at)) yield* peaksUpTo(dose.at);
      advance(dose.at);
      yield { at: now, level: body.level() };
      body.take(dose.amount);
      yield { at: now, level: body.level() };
    }
    if (isPeakUpTo(due)) yield* peaksUpTo(due);
    advance(due);
    yield { at: now, level: body.level() };
    if (due >= to) return;
  }
}

/** The lowest and the highest of several curves at one instant, in milliseconds. */
export interface BandPoint {
  at: number;
  low: number;
  high: number;
}

/** Reads a curve at instants that grow: between two of its points on the straight line from one to the other. */
function readerOf(points: readonly LevelPoint[]): (at: number) => number {
  let place = 0;
  return (at) => {
    while ((points[place + 1]?.at ?? Infinity) <= at) place += 1;
    const [before, after] = [points[place], points[place + 1]];
    if (before === undefined) return 0;
    if (after === undefined || at <= before.at) return before.level;
    return before.level + ((after.level - before.level) * (at - before.at)) / (after.at - before.at);
  };
}

/** What several curves lie between, at the instants of all of them. One curve is a band without width. */
export function bandOf(curves: readonly (readonly LevelPoint[])[]): BandPoint[] {
  const [only, ...more] = curves;
  if (only !== undefined && more.length === 0)
    return only.map(({ at, level }) => ({ at, low: level, high: level }));
  const all = new Set<number>();
  for (const points of curves) for (const { at } of points) all.add(at);
  const readers = curves.map(readerOf);
  return Array.from(Float64Array.from(all).sort(), (at) => {
    let [low, high] = [Infinity, -Infinity];
    for (const read of readers) {
      const level = read(at);
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
    return { at, low, high };
  });
}
