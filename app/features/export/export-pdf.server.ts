import type { Readable } from 'node:stream';
import { zoneName, localDateTime } from '#app/domain/time/zoned-time.ts';
import { RECORD_TYPES, reportRow } from '#app/domain/records/record-types.ts';
import { TYPE_NAMES, type ExportType } from '#app/domain/records/type-names.ts';
import type { ExportMetadata } from '#app/domain/export/export-file.ts';
import type { PdfBlock } from '#app/platform/pdf/pdf-drawing.server.ts';
import type { PdfColumn } from '#app/platform/pdf/pdf-table.server.ts';
import { PDF_NOTICE, pdfFile } from '#app/platform/pdf/pdf-files.server.ts';
import type { ExportSection } from './export-rows.server.ts';

/** What the file shows besides the rows. */
export interface PdfOptions {
  metadata: ExportMetadata | null;
  timeZone: string;
  /** "1 Jan 2026 to …", or null for everything. */
  period: string | null;
  now: Date;
}

function head({ metadata, timeZone, period, now }: PdfOptions): PdfBlock[] {
  const made = metadata === null ? now : new Date(metadata.exportDate);
  const facts = [
    `Made ${localDateTime(made, timeZone)} (${zoneName(timeZone)})`,
    ...(metadata === null
      ? []
      : [`${metadata.userEmail}, ${metadata.totalRecords} records, ${metadata.version}`]),
    ...(period === null ? [] : [period]),
    PDF_NOTICE,
  ];
  return [
    { kind: 'title', text: 'Vialbook export' },
    ...facts.map((text): PdfBlock => ({ kind: 'line', text })),
  ];
}

/** Columns without their functions, because messages to a worker thread are copied and functions cannot be. */
const pdfColumns = (type: ExportType): PdfColumn[] =>
  RECORD_TYPES[type].printColumns.map(({ heading, width, align }) => ({ heading, width, align }));

/** What the file shows, from top to bottom. */
export async function* pdfBlocks(
  sections: readonly ExportSection[],
  options: PdfOptions,
): AsyncGenerator<PdfBlock[]> {
  yield head(options);
  for (const { type, batches } of sections) {
    yield [{ kind: 'heading', text: TYPE_NAMES[type].title }];
    const show = reportRow(type, (iso) => localDateTime(new Date(iso), options.timeZone));
    let isEmpty = true;
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      if (isEmpty) yield [{ kind: 'table', columns: pdfColumns(type) }];
      isEmpty = false;
      yield [{ kind: 'rows', rows: batch.map(show) }];
    }
    if (isEmpty) yield [{ kind: 'line', text: 'No records.' }];
  }
}

/** The PDF file as a stream. */
export function writePdf(sections: readonly ExportSection[], options: PdfOptions): Readable {
  return pdfFile({ title: 'Vialbook export', now: options.now }, pdfBlocks(sections, options));
}
