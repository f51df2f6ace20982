import { labelDays, daysOf, type Period } from '#app/domain/analytics/periods.ts';
import type { DayValue } from '#app/domain/analytics/moving-average.ts';
import { unitOf, valueIn, type Metric, type UnitSystem } from '#app/domain/tracking/health-metrics.ts';
import { shownDay } from '#app/domain/time/format-day.ts';
import type { MeasuredDays } from './measured-days.server.ts';

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** A mean has a decimal more than what it is the mean of. */
const numberIn = (metric: Metric, units: UnitSystem, value: number): number =>
  Number(valueIn({ ...metric, decimals: metric.decimals + 1 }, value, units).toFixed(metric.decimals + 1));

function sentenceOf({ metric, average }: MeasuredDays, units: UnitSystem): string {
  const [first, last] = [average[0], average.at(-1)];
  if (!first || !last) return '';
  const text = (value: number) => `${numberIn(metric, units, value)} ${unitOf(metric, units)}`.trim();
  if (first === last)
    return `${text(last.value)} on ${shownDay(last.day)}, measured on one day of this period.`;
  const change = numberIn(metric, units, last.value) - numberIn(metric, units, first.value);
  const amount = `${Number(Math.abs(change).toFixed(metric.decimals + 1))} ${unitOf(metric, units)}`.trim();
  const compared = change === 0 ? 'the same as' : `${amount} ${change < 0 ? 'less' : 'more'} than`;
  return `A mean of ${text(last.value)} over the week to ${shownDay(last.day)}, ${compared} at the beginning of the period.`;
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
