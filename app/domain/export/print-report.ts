import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import type { ExportCells } from '#app/domain/records/record-type.ts';
import type { ExportType } from '#app/domain/records/type-names.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';

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
