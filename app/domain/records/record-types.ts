import { CALCULATIONS } from './calculations.ts';
import { DOSES } from './doses.ts';
import { INJECTION_SITES } from './injection-sites.ts';
import { MEASUREMENTS } from './measurements.ts';
import { LOTS } from './lots.ts';
import { NUTRITION } from './nutrition.ts';
import { SCHEDULES } from './schedules.ts';
import { SIDE_EFFECTS } from './side-effects.ts';
import { SUPPLIES } from './supplies.ts';
import { VIALS } from './vials.ts';
import type {
  BadRow,
  ExportableType,
  ImportableType,
  ImportedRecord,
  ImportSetting,
  RawRow,
  ReadRow,
} from './record-type.ts';
import type { ExportType, ImportType } from './type-names.ts';

/** Each type of record in one place: its columns, how a row of it is written, read and printed, how its ids begin. */
export const RECORD_TYPES = {
  calculations: CALCULATIONS,
  lots: LOTS,
  compounds: VIALS,
  schedules: SCHEDULES,
  doses: DOSES,
  nutrition: NUTRITION,
  sideEffects: SIDE_EFFECTS,
  injectionSites: INJECTION_SITES,
  measurements: MEASUREMENTS,
  supplies: SUPPLIES,
} satisfies Readonly<Record<ImportType, ImportableType>> &
  Readonly<Record<ExportType, ExportableType<never>>>;

/** Reads one row: a record, or why it is none. Never throws. */
export function readRow({ type, cells }: RawRow, setting: ImportSetting): ReadRow {
  return RECORD_TYPES[type].read(cells, setting);
}

/** Reads rows; one that says the same record again is left out. Also says from which line each record is, by its id. */
export function readRows(
  rows: readonly RawRow[],
  setting: ImportSetting,
): { records: ImportedRecord[]; bad: BadRow[]; lines: ReadonlyMap<string, number> } {
  const records = new Map<string, ImportedRecord>();
  const bad: BadRow[] = [];
  const lines = new Map<string, number>();
  for (const row of rows) {
    const read = readRow(row, setting);
    if ('reason' in read) bad.push({ type: row.type, line: row.line, reason: read.reason });
    else {
      records.set(`${row.type} ${read.record.id}`, read.record);
      lines.set(read.record.id, row.line);
    }
  }
  return { records: [...records.values()], bad, lines };
}
