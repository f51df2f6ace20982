import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import type { ExportCells } from '#app/domain/records/record-type.ts';
import type { ExportType } from '#app/domain/records/type-names.ts';

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
