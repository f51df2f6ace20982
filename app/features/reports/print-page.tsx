import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { PrintPage } from '#app/ui/print-page.tsx';
import { ReportBody } from './report-body.tsx';

interface ReportPrintPageProps {
  report: ClinicianReport;
  fileHref: string;
  backHref: string;
}

/** The report without the frame of the other pages, to print. */
export function ReportPrintPage({ report, ...links }: ReportPrintPageProps) {
  return (
    <PrintPage title="Clinician report" {...links}>
      <ReportBody {...report} open />
    </PrintPage>
  );
}
