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

/** Whether each column of each type holds text that a person wrote. */
export const COLUMN_IS_TEXT: ReadonlyMap<string, ReadonlyMap<string, boolean>> = new Map(
  IMPORT_TYPES.map((type: ImportType) => [
    type,
    new Map(RECORD_TYPES[type].columns.map(({ name, kind }) => [name, kind === 'text'])),
  ]),
);

/** Most characters of a cell: texts have at most a fifth of that, the longest of the others is a day's 24 times. */
const MAX_LENGTH = { text: 10_000, other: 300 } as const;

/** Why a cell is too long to be read; null when it is not. It keeps what waits to be imported within bounds. */
export function cellProblem(cell: string, isText: boolean): string | null {
  const most = isText ? MAX_LENGTH.text : MAX_LENGTH.other;
  return cell.length > most ? `This can have at most ${most} characters` : null;
}

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

/** A function that writes rows of one type as JSON objects. Numbers keep every digit of their decimal text. */
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

/** Columns that hold an instant; the end of a side effect may be a day alone, which stays as it is. */
const INSTANTS = ['createdAt', 'startedAt', 'resolvedDate', 'takenAt'];

/**
 * A function that turns a row of one type into the report's cells; what is missing is empty.
 * @param showInstant writes an ISO instant as a date and time of the reader's zone
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
