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
  ExportCells,
} from './record-type.ts';
import { IMPORT_TYPES, type ExportType, type ImportType } from './type-names.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';

/** Everything about each type of record: its columns, its id prefix, and how its rows are written, read and printed. */
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

/** Whether each column of each type holds text written by the user. */
export const COLUMN_IS_TEXT: ReadonlyMap<string, ReadonlyMap<string, boolean>> = new Map(
  IMPORT_TYPES.map((type: ImportType) => [
    type,
    new Map(RECORD_TYPES[type].columns.map(({ name, kind }) => [name, kind === 'text'])),
  ]),
);

/** Most characters of a cell. Texts have at most a fifth of that; the longest other cell is the 24 times of a day. */
const MAX_LENGTH = { text: 10_000, other: 300 } as const;

/** Why a cell is too long to be read, or null. This limits the size of checked files that wait to be imported. */
export function cellProblem(cell: string, isText: boolean): string | null {
  const most = isText ? MAX_LENGTH.text : MAX_LENGTH.other;
  return cell.length > most ? `This can have at most ${most} characters` : null;
}

/** Reads one row: a record, or why it is not one. Never throws. */
export function readRow({ type, cells }: RawRow, setting: ImportSetting): ReadRow {
  return RECORD_TYPES[type].read(cells, setting);
}

/** Reads rows and drops repeated records. Also returns the line of each record by its id. */
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

/** Returns a function that writes rows of one type as JSON objects. Numbers keep every digit of their decimal text. */
export function jsonWriter(type: ExportType): (cells: ExportCells) => string {
  const keys = RECORD_TYPES[type].columns.map(({ name, kind }) => ({
    key: `${JSON.stringify(name)}:`,
    isNumber: kind === 'number',
  }));
  return (cells) => {
    const members = keys.map(({ key, isNumber }, index) => {
      const cell = cells[index] ?? null;
      return key + (isNumber && cell !== null ? cell : JSON.stringify(cell));
    });
    return `{${members.join(',')}}`;
  };
}

/** Columns that hold an instant. The end of a side effect may also be just a day, which is shown unchanged. */
const INSTANTS = ['createdAt', 'startedAt', 'resolvedDate', 'takenAt'];

/**
 * Returns a function that turns a row of one type into the report's cells; missing values are empty.
 * @param showInstant formats an ISO instant in the reader's time zone
 */
export function reportRow(
  type: ExportType,
  showInstant: (iso: string) => string,
): (cells: ExportCells) => string[] {
  const { columns, printColumns } = RECORD_TYPES[type];
  const places = new Map(columns.map(({ name }, at) => [name, at]));
  return (cells) => {
    const cellOf = (column: string) => cells[places.get(column) ?? -1] ?? '';
    return printColumns.map(({ source, show }) => {
      const cell = cellOf(source);
      if (cell === '') return '';
      if (INSTANTS.includes(source)) return isCalendarDay(cell) ? cell : showInstant(cell);
      return show === undefined ? cell : show(cell, cellOf);
    });
  };
}
