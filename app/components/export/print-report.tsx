import { useEffect } from 'react';
import { LinkButton } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';

/** One data type of the report: its columns and its rows as texts, in the columns' order. */
export interface ReportSection {
  title: string;
  columns: readonly { label: string; numeric?: boolean }[];
  rows: readonly (readonly string[])[];
}

interface PrintReportProps {
  /** "1 Oct 2026 to 31 Oct 2026" */
  period: string;
  metadata?: { exportDate: string; userEmail: string; version: string; totalRecords: number };
  sections: readonly ReportSection[];
  backHref: string;
  /** The same rows as a PDF file. */
  fileHref: string;
  /** Rows that are only in the file. */
  leftOut: number;
}

/** The report is on the page for half a second before the print dialog covers it. */
const PRINT_DELAY_MS = 500;

function Metadata({
  exportDate,
  userEmail,
  version,
  totalRecords,
}: NonNullable<PrintReportProps['metadata']>) {
  const lines = [
    ['Exported', exportDate],
    ['Account', userEmail],
    ['Version', version],
    ['Records', String(totalRecords)],
  ];
  return (
    <dl className="mt-3 grid grid-cols-[max-content_1fr] gap-x-4 text-sm">
      {lines.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-soft">{label}</dt>
          <dd className="figure">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Section({ title, columns, rows }: ReportSection) {
  return (
    <section className="mt-8">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="text-soft">Nothing in this period.</p>
      ) : (
        <DataTable
          caption={title}
          columns={columns.map(({ label, numeric }, index) => ({
            key: label,
            label,
            numeric,
            cell: ({ cells }: { cells: readonly string[] }) => cells[index],
          }))}
          rows={rows.map((cells, index) => ({ key: String(index), cells }))}
          rowKey={({ key }) => key}
        />
      )}
    </section>
  );
}

/** The report that PDF means on the page: print it, or save it as a PDF from the print dialog. */
export function PrintReport({ period, metadata, sections, backHref, fileHref, leftOut }: PrintReportProps) {
  useEffect(() => {
    const timer = setTimeout(() => window.print(), PRINT_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="report mx-auto max-w-5xl bg-sheet px-4 py-8">
      <div className="no-print mb-6 flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">Print this page, or choose “Save as PDF” in the print dialog.</p>
        <div className="flex flex-wrap gap-3">
          <a href={fileHref} className="btn">
            Download PDF file
          </a>
          <LinkButton to={backHref}>Back</LinkButton>
        </div>
      </div>
      <h1>Vialbook report</h1>
      <p className="text-soft">{period}</p>
      {leftOut > 0 ? (
        <p className="mt-3">{`${leftOut} more rows are in the PDF file, which holds all of them.`}</p>
      ) : null}
      {metadata ? <Metadata {...metadata} /> : null}
      {sections.map((section) => (
        <Section key={section.title} {...section} />
      ))}
    </main>
  );
}
