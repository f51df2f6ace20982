export {
  recoverImports,
  type ImportRecord,
  applyImport,
  dryRunImport,
  getImport,
  listImports,
  prepareImport,
  undoImport,
} from './import.server.ts';
export { type ImportSource, badRows, unusualRowText } from './import-check.server.ts';
