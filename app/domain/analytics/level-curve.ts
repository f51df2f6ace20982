import { HOUR_MS } from '#app/domain/time/calendar.ts';

/** A dose as the model sees it. */
export interface ModelDose {
  /** Instant in milliseconds. */
  at: number;
  /** Any unit; the level has the same. */
  amount: number;
}

/** How a compound comes and goes. */
export interface Kinetics {
  halfLifeHours: number;
  /** Half-time of absorption; null for an immediate bolus, and where the time of the peak is unknown. */
  absorptionHours: number | null;
}

/** When the level after one dose is highest: ln(ka ÷ ke) ÷ (ka − ke), and 1 ÷ k where both rates are the same. */
export function peakHours({ halfLifeHours, absorptionHours }: Kinetics): number {
  if (absorptionHours === null) return 0;
  const [ke, ka] = [Math.LN2 / halfLifeHours, Math.LN2 / absorptionHours];
  // Near equal rates, ln(1 + x) ÷ x keeps the digits that ln(ka ÷ ke) would lose.
  const apart = (ka - ke) / ke;
  return Math.abs(apart) < 1e-12 ? 1 / ke : Math.log1p(apart) / (apart * ke);
}

/** Absorption is looked for from this share of the half-life up to this multiple of it. */
const ABSORPTION_RANGE = 1e6;

/** Halvings of that range: far beyond the precision of a double. */
const STEPS = 200;

/**
 * The kinetics whose level is highest at a given time after the dose: the rate of absorption follows from the peak. Where
 * the peak is later than 1 ÷ ke, no absorption quicker than elimination gives it: the slower rate is absorption then
 * ("flip-flop").
 * @param peak hours after the dose; null when nobody knows, and the curve is drawn without absorption
 */
export function kineticsOf(halfLifeHours: number, peak: number | null): Kinetics {
  if (peak === null) return { halfLifeHours, absorptionHours: null };
  // The later the peak, the slower absorption: one number between the ends gives it.
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

/** Whether absorption is the slower of the two, so that it sets how long the level lasts. */
export function isFlipFlop({ halfLifeHours, absorptionHours }: Kinetics): boolean {
  return absorptionHours !== null && absorptionHours > halfLifeHours;
}

/** Rate constant per millisecond of a half-time in hours: ln 2 ÷ half-time. */
function rateOf(halfTimeHours: number): number {
  return Math.LN2 / (halfTimeHours * HOUR_MS);
}

/** Rate constants closer than this share are taken as equal: their difference would divide rounding errors. */
const SAME_RATE = 1e-6;

/** Amounts in the body as sums of exponentials that are carried on from instant to instant. */
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

/** Its limit for ka = ke: Σ D × k × t × e^(−k·t). */
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

/** A body that has taken nothing yet. */
function emptyBody({ halfLifeHours, absorptionHours }: Kinetics): Body {
  const ke = rateOf(halfLifeHours);
  if (absorptionHours === null) return bolusBody(ke);
  const ka = rateOf(absorptionHours);
  return Math.abs(ka - ke) <= SAME_RATE * ke ? equalRatesBody(ke) : absorbingBody(ke, ka);
}

/**
 * The level at one instant, each dose for itself: the closed form that the curve must agree with.
 * @param at milliseconds; doses after it do not count
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

/** More points than this are not computed: a shorter period is asked for. */
const MAX_SAMPLES = 400_000;

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

/**
 * Fewer points that draw the same line: of each of `columns` equal stretches of time the first, the lowest, the highest
 * and the last. Peaks and troughs stay, however short they are.
 */
export function thinOut(
  points: Iterable<LevelPoint>,
  from: number,
  to: number,
  columns: number,
): LevelPoint[] {
  const kept: LevelPoint[] = [];
  let column = -1;
  let stretch: LevelPoint[] = [];
  const flush = () => {
    const first = kept.length;
    for (const point of stretch) {
      if (kept.includes(point, first)) continue;
      let place = kept.length;
      while (place > first && (kept[place - 1]?.at ?? 0) > point.at) place -= 1;
      kept.splice(place, 0, point);
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
  return kept;
}

/** The lowest and the highest level of a stretch of time. */
interface Stretch {
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
