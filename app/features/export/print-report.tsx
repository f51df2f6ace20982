import { plural } from '#app/domain/text/plural.ts';
import { PrintPage } from '#app/ui/print-page.tsx';
import { TextSection } from '#app/ui/text-section.tsx';

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
  /** How many rows are only in the file. */
  leftOut: number;
}

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
    <dl className="mt-3 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 text-sm">
      {lines.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-soft">{label}</dt>
          <dd className="figure wrap-anywhere whitespace-normal">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The printable report; the print dialog can save it as a PDF. */
export function PrintReport({ period, metadata, sections, leftOut, ...links }: PrintReportProps) {
  return (
    <PrintPage title="Vialbook report" {...links}>
      <p className="text-soft">{period}</p>
      {leftOut > 0 ? (
        <p className="mt-3">{`The PDF file contains all rows, ${plural(leftOut, 'row')} more than this page.`}</p>
      ) : null}
      {metadata ? <Metadata {...metadata} /> : null}
      {sections.map((section) => (
        <TextSection key={section.title} nothing="Nothing in this period." {...section} />
      ))}
    </PrintPage>
  );
}
