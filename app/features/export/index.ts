export { ExportForm } from './export-form.tsx';
export { PrintReport } from './print-report.tsx';
