import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import PDFDocument from 'pdfkit';
import { REPORT_COLUMNS, reportRow, SECTION_TITLES, type ExportMetadata } from '#app/domain/export/index.ts';
import { localDateTime } from '#app/domain/time/index.ts';
import { fontFor, PdfTable, printable } from './export-pdf-table.server.ts';
import type { ExportSection } from './export-rows.server.ts';

type Document = InstanceType<typeof PDFDocument>;

/** Beside the rows. */
export interface PdfOptions {
  metadata: ExportMetadata | null;
  timeZone: string;
  /** "1 Jan 2026 to …", or null for everything. */
  period: string | null;
  now: Date;
}

/** Bytes that may wait for the reader before the writing pauses. */
const WAITING_BYTES = 256 * 1024;

const NOTICE = 'Research reference only. Not medical advice. For adults (18+).';

function newDocument(now: Date): Document {
  return new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margins: { top: 40, bottom: 40, left: 40, right: 40 },
    bufferPages: false,
    // The cache of laid-out texts would grow with the rows.
    fontLayoutCache: false,
    info: { Title: 'Vialbook export', CreationDate: now, ModDate: now },
  });
}

function writeHead(document: Document, { metadata, timeZone, period, now }: PdfOptions): void {
  document.font('Helvetica-Bold').fontSize(16).text('Vialbook export');
  document.font('Helvetica').fontSize(9);
  const made = metadata === null ? now : new Date(metadata.exportDate);
  const facts = [
    `Made ${localDateTime(made, timeZone)} (${timeZone})`,
    ...(metadata === null
      ? []
      : [`${metadata.userEmail}, ${metadata.totalRecords} records, ${metadata.version}`]),
    ...(period === null ? [] : [period]),
    NOTICE,
  ];
  for (const fact of facts.map(printable)) document.font(fontFor(fact)).text(fact);
}

/** Waits while the reader is slower than the writing. */
async function unhurried(document: Document, output: PassThrough): Promise<void> {
  while (document.readableLength > WAITING_BYTES && !output.destroyed) await once(output, 'drain');
}

async function writeSections(
  document: Document,
  output: PassThrough,
  sections: readonly ExportSection[],
  timeZone: string,
): Promise<void> {
  for (const { type, batches } of sections) {
    document.moveDown(1.5).font('Helvetica-Bold').fontSize(12).text(SECTION_TITLES[type]).moveDown(0.5);
    const table = new PdfTable(document, REPORT_COLUMNS[type]);
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

/** The PDF file as a stream; pages leave as they are full, so memory does not grow with the rows. */
export function writePdf(sections: readonly ExportSection[], options: PdfOptions): PassThrough {
  const document = newDocument(options.now);
  const output = new PassThrough();
  document.pipe(output);
  // A failure is told to whoever reads the stream; once they are gone there is nobody left to tell.
  void (async () => {
    try {
      writeHead(document, options);
      await writeSections(document, output, sections, options.timeZone);
      document.end();
    } catch (error) {
      document.unpipe(output);
      output.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  })();
  return output;
}
