import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import { IMPORT_TYPES, type ImportType } from '#app/domain/records/type-names.ts';

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
