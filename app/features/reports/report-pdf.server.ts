import type { Readable } from 'node:stream';
import type { ClinicianReport, ReportSection } from '#app/domain/reports/report-types.ts';
import type { PdfBlock } from '#app/platform/pdf/pdf-drawing.server.ts';
import { PDF_NOTICE, pdfFile } from '#app/platform/pdf/pdf-files.server.ts';

const line = (text: string): PdfBlock => ({ kind: 'line', text });
const heading = (text: string): PdfBlock => ({ kind: 'heading', text });

function head({ facts, adherence }: ClinicianReport): PdfBlock[] {
  const { numbers, counts, formula, timing } = adherence;
  return [
    { kind: 'title', text: 'Clinician report' },
    ...facts.map(({ label, value }) => line(`${label}: ${value}`)),
    line(PDF_NOTICE),
    heading('Adherence'),
    ...[numbers, counts, formula, timing].flatMap((text) => (text === null ? [] : [line(text)])),
  ];
}

/** A section: its rows, with the heading of each month above its first row; also of months that list none. */
function sectionBlocks({ title, note, columns, rows, months, nothing }: ReportSection): PdfBlock[] {
  const blocks = [heading(title), ...(note === null ? [] : [line(note)])];
  if (rows.length === 0) return [...blocks, line(nothing)];
  blocks.push({
    kind: 'table',
    columns: columns.map(({ label, width, numeric }) => ({
      heading: label,
      width,
      align: numeric ? 'right' : 'left',
    })),
  });
  let at = 0;
  for (const month of months) {
    blocks.push({ kind: 'part', text: `${month.title}: ${month.about}` });
    blocks.push({ kind: 'rows', rows: rows.slice(at, at + month.rows) });
    at += month.rows;
  }
  blocks.push({ kind: 'rows', rows: rows.slice(at) });
  return blocks;
}

async function* blocksOf(report: ClinicianReport): AsyncGenerator<PdfBlock[]> {
  yield head(report);
  for (const section of report.sections) yield sectionBlocks(section);
}

/**
 * The report as a PDF file, streamed.
 * @param ownerId whose report it is: one file of theirs is made at a time
 * @throws AppError RATE_LIMITED when the last one is still being made
 */
export function writeReportPdf(report: ClinicianReport, ownerId: string, now: Date): Readable {
  return pdfFile(ownerId, { title: 'Clinician report', now }, blocksOf(report));
}
