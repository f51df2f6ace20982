import { HOUR_MS } from '#app/domain/time/calendar.ts';

export interface ModelDose {
  /** Instant in milliseconds. */
  at: number;
  /** In any unit; the level has the same unit. */
  amount: number;
}

/** The rates of absorption and elimination of a compound. */
export interface Kinetics {
  halfLifeHours: number;
  /** Half-time of absorption; null for an immediate bolus or if the peak time is unknown. */
  absorptionHours: number | null;
}

/** Hours until the level after one dose is highest: ln(ka ÷ ke) ÷ (ka − ke), or 1 ÷ k for equal rates. */
export function peakHours({ halfLifeHours, absorptionHours }: Kinetics): number {
  if (absorptionHours === null) return 0;
  const [ke, ka] = [Math.LN2 / halfLifeHours, Math.LN2 / absorptionHours];
  // Near equal rates, ln(1 + x) ÷ x keeps the digits that ln(ka ÷ ke) would lose.
  const apart = (ka - ke) / ke;
  return Math.abs(apart) < 1e-12 ? 1 / ke : Math.log1p(apart) / (apart * ke);
}

/** The half-time of absorption is searched between the half-life divided and multiplied by this. */
const ABSORPTION_RANGE = 1e6;

/** Bisections of that range, more than the precision of a double needs. */
const STEPS = 200;

/**
 * The kinetics whose level peaks at a given time after the dose, which determines the rate of absorption. If the peak is later
 * than 1 ÷ ke, absorption must be slower than elimination ("flip-flop").
 * @param peak hours after the dose; null if unknown, which gives a curve without absorption
 */
export function kineticsOf(halfLifeHours: number, peak: number | null): Kinetics {
  if (peak === null) return { halfLifeHours, absorptionHours: null };
  // The later the peak, the slower the absorption, so bisection finds it.
  let [quick, slow] = [
    Math.log(halfLifeHours / ABSORPTION_RANGE),
    Math.log(halfLifeHours * ABSORPTION_RANGE),
  ];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (quick + slow) / 2;
    if (peakHours({ halfLifeHours, absorptionHours: Math.exp(middle) }) < peak) quick = middle;
    else slow = middle;
  }
  return { halfLifeHours, absorptionHours: Math.exp((quick + slow) / 2) };
}

/** True if absorption is slower than elimination, so that it determines how long the level lasts. */
export function isFlipFlop({ halfLifeHours, absorptionHours }: Kinetics): boolean {
  return absorptionHours !== null && absorptionHours > halfLifeHours;
}

/** Rate constant per millisecond of a half-time in hours: ln 2 ÷ half-time. */
function rateOf(halfTimeHours: number): number {
  return Math.LN2 / (halfTimeHours * HOUR_MS);
}

/** Rate constants with a smaller relative difference count as equal, because dividing by it would magnify rounding errors. */
const SAME_RATE = 1e-6;

/** The amount in the body as a sum of exponentials, advanced from instant to instant. */
interface Body {
  /** Lets time pass, in milliseconds. */
  wait(ms: number): void;
  take(amount: number): void;
  level(): number;
}

/** Σ dose × e^(−ke·t), which is Σ dose × 0.5^(t ÷ half-life). */
function bolusBody(ke: number): Body {
  let sum = 0;
  return {
    wait(ms) {
      sum *= Math.exp(-ke * ms);
    },
    take(amount) {
      sum += amount;
    },
    level: () => sum,
  };
}

/** Σ D × ka ÷ (ka − ke) × (e^(−ke·t) − e^(−ka·t)): one-compartment model with first-order absorption (Bateman). */
function absorbingBody(ke: number, ka: number): Body {
  let slow = 0;
  let quick = 0;
  return {
    wait(ms) {
      slow *= Math.exp(-ke * ms);
      quick *= Math.exp(-ka * ms);
    },
    take(amount) {
      slow += amount;
      quick += amount;
    },
    level: () => (ka / (ka - ke)) * (slow - quick),
  };
}

/** The limit of the Bateman function for ka = ke: Σ D × k × t × e^(−k·t). */
function equalRatesBody(k: number): Body {
  let sum = 0;
  let timed = 0;
  return {
    wait(ms) {
      const decay = Math.exp(-k * ms);
      timed = (timed + sum * ms) * decay;
      sum *= decay;
    },
    take(amount) {
      sum += amount;
    },
    level: () => k * timed,
  };
}

function emptyBody({ halfLifeHours, absorptionHours }: Kinetics): Body {
  const ke = rateOf(halfLifeHours);
  if (absorptionHours === null) return bolusBody(ke);
  const ka = rateOf(absorptionHours);
  return Math.abs(ka - ke) <= SAME_RATE * ke ? equalRatesBody(ke) : absorbingBody(ke, ka);
}

/**
 * The level at one instant as the sum over each dose: the closed form that the curve must agree with.
 * @param at milliseconds; later doses do not count
 */
export function levelAt(doses: readonly ModelDose[], kinetics: Kinetics, at: number): number {
  let total = 0;
  for (const dose of doses) {
    if (dose.at > at) continue;
    const body = emptyBody(kinetics);
    body.take(dose.amount);
    body.wait(at - dose.at);
    total += body.level();
  }
  return total;
}

/** A point of a curve. */
interface LevelPoint {
  /** Instant in milliseconds. */
  at: number;
  level: number;
}

/** The most samples of a curve; longer periods are sampled less often. */
const MAX_SAMPLES = 400_000;

/** The fewest samples of a curve, so that a long half-life still gives a smooth line. */
const LEAST_SAMPLES = 200;

/** A quarter of the half-life, within the limits. Faster absorption still shows, because doses and peaks get extra points. */
function stepOf({ halfLifeHours }: Kinetics, from: number, to: number): number {
  const quarter = (halfLifeHours * HOUR_MS) / 4;
  return Math.max(Math.min(quarter, (to - from) / LEAST_SAMPLES), (to - from) / MAX_SAMPLES);
}

/**
 * The level from `from` to `to`: points just before and after each dose, at the peak that follows it, and at least at every
 * quarter of the half-life, so that no peak falls between two points. Doses before `from` count with what is left of them.
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

/** The lowest and highest of several curves at one instant (milliseconds). */
export interface BandPoint {
  at: number;
  low: number;
  high: number;
}

/** Reads a curve at increasing instants, with linear interpolation between its points. */
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

/** The band between several curves, at the instants of all of them. A single curve gives a band of zero width. */
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

/**
 * Fewer points that draw the same line: the first, lowest, highest and last of each of `columns` equal intervals. Keeps peaks
 * and troughs, however short.
 */
export function thinOut(
  points: Iterable<LevelPoint>,
  from: number,
  to: number,
  columns: number,
): LevelPoint[] {
  const keptPoints: LevelPoint[] = [];
  let column = -1;
  let stretch: LevelPoint[] = [];
  const flush = () => {
    const first = keptPoints.length;
    for (const point of stretch) {
      if (keptPoints.includes(point, first)) continue;
      let place = keptPoints.length;
      while (place > first && (keptPoints[place - 1]?.at ?? 0) > point.at) place -= 1;
      keptPoints.splice(place, 0, point);
    }
  };
  for (const point of points) {
    const place = Math.min(columns - 1, Math.floor(((point.at - from) / (to - from)) * columns));
    if (place !== column) {
      flush();
      column = place;
      stretch = [point, point, point, point];
      continue;
    }
    const [, low, high] = stretch as [LevelPoint, LevelPoint, LevelPoint, LevelPoint];
    if (point.level < low.level) stretch[1] = point;
    if (point.level > high.level) stretch[2] = point;
    stretch[3] = point;
  }
  flush();
  return keptPoints;
}

/** The lowest and highest level of an interval. */
interface Stretch {
  /** Its middle, epoch milliseconds. */
  at: number;
  low: number;
  high: number;
}

/**
 * The range of a curve in each interval, for drawing when there are too many single peaks.
 * @param points sorted by time
 * @param from start of the first interval, epoch milliseconds
 * @param lengthMs length of an interval
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
