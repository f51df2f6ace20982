import type { PassThrough } from 'node:stream';
import type { ClinicianReport, ReportSection } from '#app/domain/reports/report-types.ts';
import { fontFor, PdfTable, printable } from '#app/platform/pdf/pdf-table.server.ts';
import { PDF_NOTICE, streamPdf, unhurried, type PdfFile } from '#app/platform/pdf/pdf-document.server.ts';

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

/** The headings above the row at an index: its month, and earlier months of which no row is listed. */
function monthHeadings(months: ReportSection['months']): Map<number, string[]> {
  const headings = new Map<number, string[]>();
  let at = 0;
  for (const { title, about, rows } of months) {
    headings.set(at, [...(headings.get(at) ?? []), `${title}: ${about}`]);
    at += rows;
  }
  return headings;
}

async function writeSection(
  document: PdfFile,
  output: PassThrough,
  { title, note, columns, rows, months, nothing }: ReportSection,
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
  const headings = monthHeadings(months);
  for (const [index, row] of rows.entries()) {
    for (const text of headings.get(index) ?? []) table.part(text);
    table.row(row);
    await unhurried(document, output);
  }
  for (const text of headings.get(rows.length) ?? []) table.part(text);
}

/** The report as a PDF file, streamed. */
export function writeReportPdf(report: ClinicianReport, now: Date): PassThrough {
  return streamPdf({ title: 'Clinician report', now }, async (document, output) => {
    writeHead(document, report);
    for (const section of report.sections) await writeSection(document, output, section);
  });
}
