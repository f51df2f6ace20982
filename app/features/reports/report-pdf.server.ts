import type { Readable } from 'node:stream';
import type { ReportInput } from '#app/domain/reports/report-schema.ts';
import type { ClinicianReport, ReportSection } from '#app/domain/reports/report-types.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { heavyFile } from '#app/platform/heavy-work.server.ts';
import type { PdfBlock } from '#app/platform/pdf/pdf-drawing.server.ts';
import { PDF_NOTICE, pdfFile } from '#app/platform/pdf/pdf-files.server.ts';
import { clinicianReport } from './clinician-report.server.ts';

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

/** The blocks of a section, with a heading for each month, even one that lists no rows. */
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

export interface ReportFile {
  fileName: string;
  /** @throws AppError RATE_LIMITED while another file of the account, or too many of others, are being created */
  open(): Promise<Readable>;
}

/**
 * Prepares the signed-in user's report as a PDF file.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT for a period that is reversed or longer than 5 years, RATE_LIMITED
 */
export async function prepareReportFile(ctx: Ctx, input: ReportInput): Promise<ReportFile> {
  const { report, request } = await clinicianReport(ctx, input);
  const head = { title: 'Clinician report', now: ctx.now() };
  return {
    fileName: `vialbook-report-${request.start}-${request.end}.pdf`,
    open: () => heavyFile(ctx, () => pdfFile(head, blocksOf(report))),
  };
}
