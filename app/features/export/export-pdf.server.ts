import type { PassThrough } from 'node:stream';
import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import { TYPE_NAMES } from '#app/domain/records/type-names.ts';
import { reportRow } from '#app/domain/export/print-report.ts';
import type { ExportMetadata } from '#app/domain/export/export-file.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { fontFor, PdfTable, printable } from '#app/platform/pdf/pdf-table.server.ts';
import type { ExportSection } from './export-rows.server.ts';
import { PDF_NOTICE, streamPdf, unhurried, type PdfFile } from '#app/platform/pdf/pdf-document.server.ts';

/** Beside the rows. */
export interface PdfOptions {
  metadata: ExportMetadata | null;
  timeZone: string;
  /** "1 Jan 2026 to …", or null for everything. */
  period: string | null;
  now: Date;
}

function writeHead(document: PdfFile, { metadata, timeZone, period, now }: PdfOptions): void {
  document.font('Helvetica-Bold').fontSize(16).text('Vialbook export');
  document.font('Helvetica').fontSize(9);
  const made = metadata === null ? now : new Date(metadata.exportDate);
  const facts = [
    `Made ${localDateTime(made, timeZone)} (${timeZone})`,
    ...(metadata === null
      ? []
      : [`${metadata.userEmail}, ${metadata.totalRecords} records, ${metadata.version}`]),
    ...(period === null ? [] : [period]),
    PDF_NOTICE,
  ];
  for (const fact of facts.map(printable)) document.font(fontFor(fact)).text(fact);
}

async function writeSections(
  document: PdfFile,
  output: PassThrough,
  sections: readonly ExportSection[],
  timeZone: string,
): Promise<void> {
  for (const { type, batches } of sections) {
    document.moveDown(1.5).font('Helvetica-Bold').fontSize(12).text(TYPE_NAMES[type].title).moveDown(0.5);
    const table = new PdfTable(document, RECORD_TYPES[type].printColumns);
    const show = reportRow(type, (iso) => localDateTime(new Date(iso), timeZone));
    let rows = 0;
    for await (const batch of batches) {
      for (const cells of batch) {
        if (rows === 0) table.head();
        rows += 1;
        table.row(show(cells));
        await unhurried(document, output);
      }
    }
    if (rows === 0) document.font('Helvetica').fontSize(9).text('No records.');
  }
}

/** The PDF file as a stream. */
export function writePdf(sections: readonly ExportSection[], options: PdfOptions): PassThrough {
  return streamPdf({ title: 'Vialbook export', now: options.now }, async (document, output) => {
    writeHead(document, options);
    await writeSections(document, output, sections, options.timeZone);
  });
}
