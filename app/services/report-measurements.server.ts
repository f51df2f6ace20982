import { ownMetric, type Metric } from '#app/domain/health/index.ts';
import {
  cappedNote,
  measurementCells,
  measurementColumns,
  measurementSummary,
  SUMMARY_COLUMNS,
  type ReportMeasurement,
  type ReportSection,
} from '#app/domain/report/index.ts';
import { instantsOfDays } from '#app/domain/time/index.ts';
import type { Ctx } from './context.server.ts';
import { measuresOf } from './measures.server.ts';
import { listedRows, type ReportOwner, type ReportScope } from './report-rows.server.ts';

const NOTHING = 'Nothing was measured in this period.';

/** A measure that its owner has taken off the list; what was measured stays. */
const gone = ({ metric, unit }: ReportMeasurement): Metric =>
  ownMetric({ key: metric, name: 'A measure taken off the list', unit });

/** What was measured in a period: a line for each measure, then each value. No compound has to do with it. */
export async function readReportMeasurements(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
): Promise<ReportSection[]> {
  const { metrics, units } = await measuresOf(ctx, id);
  const known = new Map(metrics.map((metric) => [metric.key, metric]));
  const metricOf = (row: ReportMeasurement) => known.get(row.metric) ?? gone(row);
  const summary = measurementSummary(units);
  const entries = ctx.repos.reports.measurements(id, instantsOfDays(start, end, timeZone));
  const { rows, total } = await listedRows(entries, (row) => {
    summary.add(metricOf(row), row);
    return true;
  });
  const shown = { timeZone, units, notes: Boolean(notes) };
  return [
    {
      title: 'Measurements',
      note: null,
      columns: SUMMARY_COLUMNS,
      rows: summary.rows([...known.keys()]),
      nothing: NOTHING,
    },
    {
      title: 'Each measurement',
      note: cappedNote(rows.length, total),
      columns: measurementColumns(shown.notes),
      rows: rows.map((row) => measurementCells(row, metricOf(row), shown)),
      nothing: NOTHING,
    },
  ];
}
