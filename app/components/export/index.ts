export { ExportForm, type ExportValues } from './export-form.tsx';
export { PrintReport, type ReportSection } from './print-report.tsx';
