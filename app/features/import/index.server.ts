export { type ImportCounts, type ImportSource, badRows } from './import-check.server.ts';
export { settleImports } from './import-recovery.server.ts';
export {
  type ImportRecord,
  applyImport,
  dryRunImport,
  getImport,
  listImports,
  prepareImport,
  undoImport,
} from './import.server.ts';
