import { RECORD_TYPES, reportRow } from '#app/domain/records/record-types.ts';
import { TYPE_NAMES, type ExportType } from '#app/domain/records/type-names.ts';
import { localDateTime, calendarDay, daysBefore } from '#app/domain/time/zoned-time.ts';
import type { PreparedExport } from './export.server.ts';
import {
  EXPORT_FORMATS,
  DEFAULT_EXPORT_DAYS,
  DEFAULT_EXPORT_TYPES,
  type ExportFormat,
  type ExportInput,
} from '#app/domain/export/export-schema.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';

/** Most rows of the print page; the file has all of them. */
export const MAX_PRINTED_ROWS = 5000;

/** One data type of the report as texts. */
interface PrintedSection {
  title: string;
  columns: { label: string; numeric: boolean }[];
  rows: string[][];
}

/**
 * Reads the rows of a report for the print page, at most {@link MAX_PRINTED_ROWS}.
 * @throws AppError RATE_LIMITED while the previous report is still being made
 */
export function readPrintedSections(user: SignedInUser, prepared: PreparedExport): Promise<PrintedSection[]> {
  return heavyWork('report', user.id, () => printedSections(prepared));
}

async function printedSections(prepared: PreparedExport): Promise<PrintedSection[]> {
  const showInstant = (iso: string) => localDateTime(new Date(iso), prepared.timeZone);
  const sections: PrintedSection[] = [];
  let left = MAX_PRINTED_ROWS;
  for (const { type, batches } of prepared.sections()) {
    const columns = RECORD_TYPES[type].printColumns.map(({ heading, align }) => ({
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
    sections.push({ title: TYPE_NAMES[type].title, columns, rows });
  }
  return sections;
}

/** The export form's controls. */
interface ExportFormValues {
  format: ExportFormat;
  types: ExportType[];
  startDate: string;
  endDate: string;
  includeMetadata: boolean;
}

/** What the form shows first: the last 30 days up to today, in the user's zone. */
export function defaultExport(ctx: Ctx): ExportFormValues {
  const today = calendarDay(ctx.now(), ctx.timeZone);
  return {
    format: 'csv',
    types: [...DEFAULT_EXPORT_TYPES],
    startDate: daysBefore(today, DEFAULT_EXPORT_DAYS),
    endDate: today,
    includeMetadata: true,
  };
}

/** One text per field; only `types` may repeat. Any other repeated field stays a list, which the schema refuses. */
export function readExportFields(fields: URLSearchParams): ExportInput {
  const text = (name: string) => {
    const values = fields.getAll(name);
    return values.length > 1 ? values : (values[0] ?? undefined);
  };
  const types = fields.getAll('types');
  const metadata = fields.get('includeMetadata');
  return {
    format: text('format'),
    types,
    startDate: text('startDate'),
    endDate: text('endDate'),
    includeMetadata: metadata !== null && metadata !== '0',
  } as ExportInput;
}

/** The same fields as a URL of the file or of the print report. */
export function exportAddress(path: string, input: ExportInput): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (Array.isArray(value)) for (const entry of value) search.append(name, String(entry));
    else if (typeof value === 'boolean') search.set(name, value ? '1' : '0');
    else if (value) search.set(name, String(value));
  }
  return `${path}?${search}`;
}

/** The submitted values, as far as the form can show them again. */
export function shownExport(
  sent: Readonly<Record<string, unknown>>,
  fallback: ExportFormValues,
): ExportFormValues {
  const text = (name: string) => String(sent[name] ?? '').slice(0, 40);
  return {
    format: EXPORT_FORMATS.find((known) => known === sent['format']) ?? fallback.format,
    types: [sent['types'] ?? []].flat() as ExportType[],
    startDate: text('startDate'),
    endDate: text('endDate'),
    includeMetadata: sent['includeMetadata'] !== undefined,
  };
}
