import type { ExportType } from './export-schema.ts';
import { EXPORT_COLUMNS, type ExportCells } from './export-columns.ts';

/** A function that writes rows of one type as JSON objects. Numbers keep every digit of their decimal text. */
export function jsonWriter(type: ExportType): (cells: ExportCells) => string {
  const keys = EXPORT_COLUMNS[type].map(({ name, kind }) => ({
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
