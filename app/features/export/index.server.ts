export { downloadData } from './data-download.server.ts';
export { PdfTable, fontFor, printable } from '#app/platform/pdf/pdf-table.server.ts';
export { type PreparedExport, prepareExport } from './export.server.ts';
