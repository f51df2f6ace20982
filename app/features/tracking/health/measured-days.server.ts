import { dayMeans, movingAverage, type DayValue } from '#app/domain/analytics/day-figures.ts';
import {
  periodUpTo,
  type Period,
  type PeriodDays,
  labelDays,
  daysOf,
} from '#app/domain/analytics/periods.ts';
import { type Metric, type UnitSystem, unitOf, valueIn } from '#app/domain/tracking/measurements.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { readMeasures } from './measurements.server.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { repos } from '../repositories.server.ts';

/** Days that the moving average looks back over. */
const AVERAGE_DAYS = 7;

/** One measure over a period, in its metric unit. */
interface MeasuredDays {
  metric: Metric;
  /** The mean of each day that has a value. */
  days: DayValue[];
  /** For each of them, the mean of the {@link AVERAGE_DAYS} days that end with it. */
  average: DayValue[];
}

/** What was measured in a period. */
interface Measured {
  period: Period;
  units: UnitSystem;
  /** Measures with a value in the period, in the form's order. */
  measured: MeasuredDays[];
}

/**
 * The signed-in user's measurements of a period by day, added up in the database: the cost depends on the period, not on
 * the history before it.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function measuredDays(ctx: Ctx, days: PeriodDays): Promise<Measured> {
  const user = authorisePremiumUser(ctx.actor, 'analytics.read');
  const period = periodUpTo(calendarDay(ctx.now(), user.timeZone), days);
  const { from, before } = instantsOfDays(period.first, period.last, user.timeZone);
  const span = { from: from ?? ctx.now(), before: before ?? ctx.now() };
  const [{ metrics, units }, sums] = await Promise.all([
    readMeasures(ctx),
    repos(ctx).analytics.measurementSums(user.id, span),
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

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** An average has one more decimal than its values. */
const numberIn = (metric: Metric, units: UnitSystem, value: number): number =>
  Number(valueIn({ ...metric, decimals: metric.decimals + 1 }, value, units).toFixed(metric.decimals + 1));

function sentenceOf({ metric, average }: MeasuredDays, units: UnitSystem): string {
  const [first, last] = [average[0], average.at(-1)];
  if (!first || !last) return '';
  const text = (value: number) => `${numberIn(metric, units, value)} ${unitOf(metric, units)}`.trim();
  if (first === last)
    return `${text(last.value)} on ${shownDay(last.day)}, the only day with a value in this period.`;
  const change = numberIn(metric, units, last.value) - numberIn(metric, units, first.value);
  const amount = `${Number(Math.abs(change).toFixed(metric.decimals + 1))} ${unitOf(metric, units)}`.trim();
  const compared = change === 0 ? 'the same as' : `${amount} ${change < 0 ? 'less' : 'more'} than`;
  return `An average of ${text(last.value)} over the week to ${shownDay(last.day)}, ${compared} at the start of the period.`;
}

/** A measure over a period as numbers to draw and texts to read. */
export function measuredView(one: MeasuredDays, period: Period, units: UnitSystem) {
  const { metric, days, average } = one;
  const value = (entry: DayValue | undefined) => numberIn(metric, units, entry?.value ?? 0);
  return {
    key: metric.key,
    name: metric.name,
    unit: unitOf(metric, units),
    sentence: sentenceOf(one, units),
    from: at(period.first),
    to: at(period.last),
    labels: labelDays(daysOf(period)).map(shownDay),
    days: days.map((entry, index) => ({
      day: entry.day,
      at: at(entry.day),
      value: value(entry),
      average: value(average[index]),
    })),
  };
}
