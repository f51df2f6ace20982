export { DOSE_COLUMNS, headerProblem, rowsOfTable, tableKind, type TableLine } from './csv-rows.ts';
export { DOSE_EXAMPLE } from './dose-example.ts';
export { JsonRecords, type FileProblem } from './json-records.ts';
export { quotedNumbers } from './json-rows.ts';
export { readRow, readRows } from './read-row.ts';
export {
  IMPORT_TYPES,
  type BadRow,
  type ImportedCalculation,
  type ImportedDose,
  type ImportedInjectionSite,
  type ImportedNutrition,
  type ImportedRecord,
  type ImportedSchedule,
  type ImportedSideEffect,
  type ImportedVial,
  type ImportSetting,
  type ImportType,
  type RawFile,
  type RawRow,
} from './types.ts';
