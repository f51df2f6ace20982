export { clinicianReport, reportCompounds, usualPeriod } from './clinician-report.server.ts';
export { writeReportPdf } from './report-pdf.server.ts';
export { getReportShare, listReportShares, revokeReportShare, shareReport } from './report-shares.server.ts';
export { openSharedReport } from './shared-report.server.ts';
