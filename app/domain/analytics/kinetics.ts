import { HOUR_MS } from '#app/domain/time/durations.ts';

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
  /** Half-time of absorption; null for an immediate bolus. */
  absorptionHours: number | null;
}

/** Absorption half-time after an injection under the skin. */
export const SUBCUTANEOUS_ABSORPTION_HOURS = 6;

/** Rate constant per millisecond of a half-time in hours: ln 2 ÷ half-time. */
export function rateOf(halfTimeHours: number): number {
  return Math.LN2 / (halfTimeHours * HOUR_MS);
}

/** Rate constants closer than this share are taken as equal: their difference would divide rounding errors. */
const SAME_RATE = 1e-6;

/** Amounts in the body as sums of exponentials that are carried on from instant to instant. */
export interface Body {
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
export function emptyBody({ halfLifeHours, absorptionHours }: Kinetics): Body {
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
