export { ReportPrintPage, ReportBody, ShareOver, SharedReportPage } from './report-body.tsx';
export { ReportForm, ReportPage } from './report-page.tsx';
export { SHARES_PATH, ShareForm, ShareSecret, ShareList } from './share-list.tsx';
