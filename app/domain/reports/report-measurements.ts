import {
  shownValue,
  unitOf,
  valueIn,
  type Metric,
  type UnitSystem,
} from '#app/domain/tracking/measurements.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import type { ReportColumn } from './report-types.ts';

/** The fields of a measurement that the report uses. */
export interface ReportMeasurement {
  metric: string;
  measuredAt: Date;
  /** In the metric unit. */
  value: number;
  text: string;
  unit: string;
  notes: string | null;
}

/** The summary of one measure in a period. */
interface Summary {
  metric: Metric;
  count: number;
  sum: number;
  least: number;
  most: number;
  first: ReportMeasurement;
  last: ReportMeasurement;
}

export const SUMMARY_COLUMNS: readonly ReportColumn[] = [
  { label: 'Measure', width: 22 },
  { label: 'Times', width: 8, numeric: true },
  { label: 'First', width: 14, numeric: true },
  { label: 'Last', width: 14, numeric: true },
  { label: 'Lowest', width: 14, numeric: true },
  { label: 'Highest', width: 14, numeric: true },
  { label: 'Mean', width: 14, numeric: true },
];

function text(metric: Metric, value: number, units: UnitSystem, moreDecimals: number): string {
  const decimals = metric.decimals + moreDecimals;
  const number = Number(valueIn({ ...metric, decimals }, value, units).toFixed(decimals));
  return `${number} ${unitOf(metric, units)}`.trim();
}

function cells({ metric, count, sum, least, most, first, last }: Summary, units: UnitSystem): string[] {
  return [
    metric.name,
    String(count),
    shownValue(metric, first, units),
    shownValue(metric, last, units),
    text(metric, least, units, 0),
    text(metric, most, units, 0),
    text(metric, sum / count, units, 1),
  ];
}

/** Summarises measurements by measure while they are read, in any order. */
export function measurementSummary(units: UnitSystem) {
  const measures = new Map<string, Summary>();
  return {
    add(metric: Metric, row: ReportMeasurement): void {
      const known = measures.get(metric.key);
      const { value } = row;
      if (known === undefined) {
        const start = { count: 1, sum: value, least: value, most: value };
        measures.set(metric.key, { metric, ...start, first: row, last: row });
        return;
      }
      known.count += 1;
      known.sum += value;
      known.least = Math.min(known.least, value);
      known.most = Math.max(known.most, value);
      if (row.measuredAt < known.first.measuredAt) known.first = row;
      if (row.measuredAt >= known.last.measuredAt) known.last = row;
    },
    /** A row for each measure, in the given order of keys; others at the end. */
    rows(order: readonly string[]): string[][] {
      const rank = ({ metric }: Summary) =>
        (order.indexOf(metric.key) + order.length + 1) % (order.length + 1);
      return [...measures.values()]
        .sort((a, b) => rank(a) - rank(b) || (a.metric.key < b.metric.key ? -1 : 1))
        .map((one) => cells(one, units));
    },
  };
}

export const measurementColumns = (notes: boolean): ReportColumn[] => [
  { label: 'When', width: 16 },
  { label: 'Measure', width: 22 },
  { label: 'Value', width: 14, numeric: true },
  ...(notes ? [{ label: 'Notes', width: 24 }] : []),
];

export function measurementCells(
  row: ReportMeasurement,
  metric: Metric,
  { timeZone, units, notes }: { timeZone: string; units: UnitSystem; notes: boolean },
): string[] {
  return [
    localDateTime(row.measuredAt, timeZone),
    metric.name,
    shownValue(metric, row, units),
    ...(notes ? [row.notes ?? '–'] : []),
  ];
}
