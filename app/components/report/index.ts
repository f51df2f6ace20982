export { ReportPrintPage } from './print-page.tsx';
export { ReportBody } from './report-body.tsx';
export { ReportForm, type ReportValues } from './report-form.tsx';
export { ReportPage } from './report-page.tsx';
export { ShareForm, ShareSecret, SHARES_PATH } from './share-form.tsx';
export { ShareList, type ShareLine } from './share-list.tsx';
export { ShareOver, SharedReportPage } from './shared-report.tsx';
