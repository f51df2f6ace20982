import { readCalculation } from './read-calculation.ts';
import { readDose } from './read-dose.ts';
import { readSchedule } from './read-schedule.ts';
import { readInjectionSite, readNutrition, readSideEffect } from './read-tracked.ts';
import { readVial } from './read-vial.ts';
import type {
  BadRow,
  ImportCells,
  ImportedRecord,
  ImportSetting,
  ImportType,
  RawRow,
  ReadRow,
} from './import-types.ts';

const READERS: Readonly<Record<ImportType, (cells: ImportCells, setting: ImportSetting) => ReadRow>> = {
  calculations: readCalculation,
  compounds: readVial,
  schedules: readSchedule,
  doses: readDose,
  nutrition: readNutrition,
  sideEffects: readSideEffect,
  injectionSites: readInjectionSite,
};

/** Reads one row: a record, or why it is none. Never throws. */
export function readRow({ type, cells }: RawRow, setting: ImportSetting): ReadRow {
  return READERS[type](cells, setting);
}

/** Reads rows; one that says the same record again is left out. */
export function readRows(
  rows: readonly RawRow[],
  setting: ImportSetting,
): { records: ImportedRecord[]; bad: BadRow[] } {
  const records = new Map<string, ImportedRecord>();
  const bad: BadRow[] = [];
  for (const row of rows) {
    const read = readRow(row, setting);
    if ('reason' in read) bad.push({ type: row.type, line: row.line, reason: read.reason });
    else records.set(`${row.type} ${read.record.id}`, read.record);
  }
  return { records: [...records.values()], bad };
}
