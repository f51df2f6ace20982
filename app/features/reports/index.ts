export { ReportPrintPage } from './print-page.tsx';
export { ReportBody } from './report-body.tsx';
export { ReportForm } from './report-form.tsx';
export { ReportPage } from './report-page.tsx';
export { SHARES_PATH, ShareForm, ShareSecret } from './share-form.tsx';
export { ShareList } from './share-list.tsx';
export { ShareOver, SharedReportPage } from './shared-report.tsx';
