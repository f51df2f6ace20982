import { dayMeans } from '#app/domain/analytics/day-means.ts';
import { movingAverage, type DayValue } from '#app/domain/analytics/moving-average.ts';
import { periodUpTo, type Period, type PeriodDays } from '#app/domain/analytics/periods.ts';
import type { Metric, UnitSystem } from '#app/domain/tracking/health-metrics.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/days.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { measuresOf } from './measures.server.ts';

/** Days that the moving average looks back over. */
export const AVERAGE_DAYS = 7;

/** One measure over a period, in its metric unit. */
export interface MeasuredDays {
  metric: Metric;
  /** The mean of each day that has a value. */
  days: DayValue[];
  /** The mean of the last {@link AVERAGE_DAYS} days up to and with each of them. */
  average: DayValue[];
}

/** What was measured in a period. */
export interface Measured {
  period: Period;
  units: UnitSystem;
  /** Measures with a value in the period, in the form's order. */
  measured: MeasuredDays[];
}

/**
 * The signed-in user's measurements of a period by day, added up in the database: they cost as much as what is in the
 * period, however long the history before it is.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function measuredDays(ctx: Ctx, days: PeriodDays): Promise<Measured> {
  const user = authorisePremiumUser(ctx.actor, 'analytics.read');
  const period = periodUpTo(calendarDay(ctx.now(), user.timeZone), days);
  const { from, before } = instantsOfDays(period.first, period.last, user.timeZone);
  const span = { from: from ?? ctx.now(), before: before ?? ctx.now() };
  const [{ metrics, units }, sums] = await Promise.all([
    measuresOf(ctx, user.id),
    ctx.repos.analytics.measurementSums(user.id, span),
  ]);
  const measured = metrics.flatMap((metric) => {
    const means = dayMeans(
      sums.filter((row) => row.metric === metric.key),
      user.timeZone,
    );
    return means.length === 0 ? [] : [{ metric, days: means, average: movingAverage(means, AVERAGE_DAYS) }];
  });
  return { period, units, measured };
}
