import type { PassThrough } from 'node:stream';
import type { ClinicianReport, ReportSection } from '#app/domain/report/index.ts';
import { fontFor, PdfTable, printable } from './export-pdf-table.server.ts';
import { PDF_NOTICE, streamPdf, unhurried, type PdfFile } from './pdf-document.server.ts';

function line(document: PdfFile, text: string): void {
  const shown = printable(text);
  document.fontSize(9).font(fontFor(shown)).text(shown);
}

function heading(document: PdfFile, text: string): void {
  document.moveDown(1.5).font('Helvetica-Bold').fontSize(12).text(text).moveDown(0.5);
}

function writeHead(document: PdfFile, { facts, adherence }: ClinicianReport): void {
  document.font('Helvetica-Bold').fontSize(16).text('Clinician report');
  for (const { label, value } of facts) line(document, `${label}: ${value}`);
  line(document, PDF_NOTICE);
  heading(document, 'Adherence');
  const { numbers, counts, formula, timing } = adherence;
  for (const text of [numbers, counts, formula, timing]) if (text !== null) line(document, text);
}

async function writeSection(
  document: PdfFile,
  output: PassThrough,
  { title, note, columns, rows, nothing }: ReportSection,
): Promise<void> {
  heading(document, title);
  if (note !== null) line(document, note);
  if (rows.length === 0) return line(document, nothing);
  const table = new PdfTable(
    document,
    columns.map(({ label, width, numeric }) => ({
      heading: label,
      source: '',
      width,
      align: numeric ? 'right' : 'left',
    })),
  );
  table.head();
  for (const row of rows) {
    table.row(row);
    await unhurried(document, output);
  }
}

/** The report as a PDF file, streamed. */
export function writeReportPdf(report: ClinicianReport, now: Date): PassThrough {
  return streamPdf({ title: 'Clinician report', now }, async (document, output) => {
    writeHead(document, report);
    for (const section of report.sections) await writeSection(document, output, section);
  });
}
