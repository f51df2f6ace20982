import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { Ramp, ScheduleRule } from './schedule-types.ts';

/**
 * How many steps lead from the start of a ramp to its target; the last may be shorter. Infinity if it never gets there.
 */
export function rampSteps({ start, step, target }: Pick<Ramp, 'start' | 'step' | 'target'>): number {
  const way = new Decimal(target).minus(start);
  const each = new Decimal(step);
  if (way.eq(0)) return 0;
  if (each.eq(0) || each.gt(0) !== way.gt(0)) return Infinity;
  return Number(way.div(each).round(0, Decimal.roundUp).toFixed());
}

/** The dose after a number of steps, never past the target. Decimal text. */
export function rampDose(ramp: Ramp, steps: number): string {
  if (steps >= rampSteps(ramp)) return new Decimal(ramp.target).toFixed();
  return new Decimal(ramp.step).times(steps).plus(ramp.start).toFixed();
}

/** The dose of a week since the start date (0 for the first), as decimal text in the schedule's unit. */
export function doseOfWeek(rule: Pick<ScheduleRule, 'ramp' | 'doseAmount'>, week: number): string {
  if (rule.ramp === null) return rule.doseAmount;
  return rampDose(rule.ramp, Math.floor(week / rule.ramp.everyWeeks));
}
