export { downloadData } from './data-download.server.ts';
export { type PreparedExport, prepareExport } from './export.server.ts';
