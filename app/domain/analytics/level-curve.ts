import { emptyBody, type Kinetics, type ModelDose } from './kinetics.ts';
import { HOUR_MS } from '#app/domain/time/durations.ts';

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

/** A quarter of the half-life, or of the absorption time where that is shorter. */
function stepOf({ halfLifeHours, absorptionHours }: Kinetics, from: number, to: number): number {
  const quarter = (Math.min(halfLifeHours, absorptionHours ?? halfLifeHours) * HOUR_MS) / 4;
  return Math.max(Math.min(quarter, (to - from) / LEAST_SAMPLES), (to - from) / MAX_SAMPLES);
}

/**
 * The relative level from `from` to `to`: a point at each dose, before and after it, and at least at every quarter of
 * the half-life, so that no peak falls between two points. Doses before `from` count with what is left of them.
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
  for (let sample = 0; ; sample += 1) {
    const due = Math.min(from + sample * step, to);
    for (let dose = queue[next]; dose !== undefined && dose.at <= due; dose = queue[(next += 1)]) {
      advance(dose.at);
      yield { at: now, level: body.level() };
      body.take(dose.amount);
      yield { at: now, level: body.level() };
    }
    advance(due);
    yield { at: now, level: body.level() };
    if (due >= to) return;
  }
}
