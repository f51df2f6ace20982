import { REPORT_COLUMNS, reportRow, SECTION_TITLES } from '#app/domain/export/print-report.ts';
import { localDateTime } from '#app/domain/time/days.ts';
import type { PreparedExport } from './export.server.ts';

/** Rows that one printed page holds; more belong into a file. */
export const MAX_PRINTED_ROWS = 5000;

/** One data type of the report as texts. */
export interface PrintedSection {
  title: string;
  columns: { label: string; numeric: boolean }[];
  rows: string[][];
}

/** Reads the rows of a report for the print page, at most {@link MAX_PRINTED_ROWS}. */
export async function readPrintedSections(prepared: PreparedExport): Promise<PrintedSection[]> {
  const showInstant = (iso: string) => localDateTime(new Date(iso), prepared.timeZone);
  const sections: PrintedSection[] = [];
  let left = MAX_PRINTED_ROWS;
  for (const { type, batches } of prepared.sections()) {
    const columns = REPORT_COLUMNS[type].map(({ heading, align }) => ({
      label: heading,
      numeric: align === 'right',
    }));
    const rows: string[][] = [];
    const toTexts = reportRow(type, showInstant);
    for await (const batch of batches) {
      rows.push(...batch.slice(0, left).map(toTexts));
      left -= Math.min(left, batch.length);
      if (left === 0) break;
    }
    sections.push({ title: SECTION_TITLES[type], columns, rows });
  }
  return sections;
}
