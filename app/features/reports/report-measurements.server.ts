import { measuresFrom, ownMetric, type Metric } from '#app/domain/tracking/health-metrics.ts';
import { byMonth, monthCounter } from '#app/domain/reports/report-months.ts';
import { cappedNote } from '#app/domain/reports/listed-rows.ts';
import {
  measurementCells,
  measurementColumns,
  measurementSummary,
  SUMMARY_COLUMNS,
  type ReportMeasurement,
} from '#app/domain/reports/report-measurements.ts';
import type { ReportSection } from '#app/domain/reports/report-types.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { listedRows, type ReportOwner, type ReportScope } from './report-rows.server.ts';

const NOTHING = 'No measurements in this period.';

/** What a report says about measurements. */
export interface MeasurementPart {
  /** A line for each measure. */
  summary: ReportSection;
  section: ReportSection;
}

/** A measure that its owner has removed; its measurements stay. */
const gone = ({ metric, unit }: ReportMeasurement): Metric =>
  ownMetric({ key: metric, name: 'Removed measure', unit });

/** What was measured in a period: a line for each measure, then each value, whatever compound is chosen. */
export async function readReportMeasurements(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
): Promise<MeasurementPart> {
  const [user, choices] = await Promise.all([
    ctx.repos.users.findById(id),
    ctx.repos.trackingChoices.find(id),
  ]);
  const { metrics, units } = measuresFrom(choices.metrics, user?.units);
  const known = new Map(metrics.map((metric) => [metric.key, metric]));
  const metricOf = (row: ReportMeasurement) => known.get(row.metric) ?? gone(row);
  const summary = measurementSummary(units);
  const months = monthCounter('measurement');
  const monthOf = ({ measuredAt }: ReportMeasurement) => calendarDay(measuredAt, timeZone).slice(0, 7);
  const entries = ctx.repos.reports.measurements(id, instantsOfDays(start, end, timeZone));
  const { rows, total } = await listedRows(entries, (row) => {
    summary.add(metricOf(row), row);
    months.add(monthOf(row));
    return true;
  });
  const shown = { timeZone, units, notes: Boolean(notes) };
  const parted = byMonth(rows, monthOf, months.summaries());
  return {
    summary: {
      title: 'Measurements',
      note: null,
      columns: SUMMARY_COLUMNS,
      months: [],
      rows: summary.rows([...known.keys()]),
      nothing: NOTHING,
    },
    section: {
      title: 'Each measurement',
      note: cappedNote(rows.length, total),
      columns: measurementColumns(shown.notes),
      months: parted.months,
      rows: parted.rows.map((row) => measurementCells(row, metricOf(row), shown)),
      nothing: NOTHING,
    },
  };
}
