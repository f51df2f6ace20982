export { calculationCells } from './calculation-cells.ts';
export { compoundCells } from './compound-cells.ts';
export { EXPORT_COLUMNS, unionOfColumns, type ExportCells, type ExportColumn } from './columns.ts';
export { csvTable, type CsvTable } from './csv.ts';
export { exportContentType, exportFileName } from './file-name.ts';
export { jsonWriter } from './json.ts';
export { EXPORT_VERSION, METADATA_COLUMNS, type ExportMetadata } from './metadata.ts';
export { scheduleCells, type ExportedSchedule } from './schedule-cells.ts';
export {
  injectionSiteCells,
  nutritionCells,
  sideEffectCells,
  type ExportedSideEffect,
} from './tracking-cells.ts';
export { certainText } from './shown-text.ts';
export { guardFormula, unguardFormula } from './spreadsheet.ts';
export { REPORT_COLUMNS, reportRow, SECTION_TITLES, type ReportColumn } from './report.ts';
