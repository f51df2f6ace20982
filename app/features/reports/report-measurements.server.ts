import { ownMetric, type Metric } from '#app/domain/tracking/health-metrics.ts';
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
import { calendarDay, instantsOfDays } from '#app/domain/time/days.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { measuresOf } from '#app/features/tracking/index.server.ts';
import { listedRows, type ReportOwner, type ReportScope } from './report-rows.server.ts';

const NOTHING = 'Nothing was measured in this period.';

/** What a report says about measurements. */
export interface MeasurementPart {
  /** A line for each measure. */
  summary: ReportSection;
  section: ReportSection;
}

/** A measure that its owner has taken off the list; what was measured stays. */
const gone = ({ metric, unit }: ReportMeasurement): Metric =>
  ownMetric({ key: metric, name: 'A measure taken off the list', unit });

/** What was measured in a period: a line for each measure, then each value. No compound has to do with it. */
export async function readReportMeasurements(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
): Promise<MeasurementPart> {
  const { metrics, units } = await measuresOf(ctx, id);
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
