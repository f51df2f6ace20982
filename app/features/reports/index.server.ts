export { clinicianReport, reportCompounds, usualPeriod } from './clinician-report.server.ts';
export { prepareReportFile } from './report-pdf.server.ts';
export {
  getReportShare,
  listReportShares,
  revokeReportShare,
  shareReport,
  openSharedReport,
} from './report-shares.server.ts';
