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
