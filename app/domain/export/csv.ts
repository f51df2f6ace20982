import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import type { ExportCells } from '#app/domain/records/record-type.ts';
import type { ExportType } from '#app/domain/records/type-names.ts';
import { METADATA_COLUMNS, type ExportMetadata } from './export-file.ts';
import { guardFormula } from './spreadsheet.ts';

/** How rows of several types stand in one table. */
export interface CsvTable {
  header: string[];
  metadataRow(metadata: ExportMetadata): string[];
  /** A function that places a row of one type. */
  placer(type: ExportType): (cells: ExportCells) => string[];
}

/**
 * One table for all chosen types: `dataType`, the metadata's columns when there is metadata, then every column once.
 * What a row has no value for is empty.
 */
export function csvTable(types: readonly ExportType[], withMetadata: boolean): CsvTable {
  const header = ['dataType', ...(withMetadata ? METADATA_COLUMNS : []), ...unionOfColumns(types)];
  const emptyRow = () => new Array<string>(header.length).fill('');
  return {
    header,
    metadataRow(metadata) {
      const row = emptyRow();
      row[0] = 'metadata';
      METADATA_COLUMNS.forEach((name, index) => (row[1 + index] = guardFormula(String(metadata[name]))));
      return row;
    },
    placer(type) {
      const places = RECORD_TYPES[type].columns.map(({ name, kind }) => ({
        at: header.indexOf(name),
        isText: kind === 'text',
      }));
      return (cells) => {
        const row = emptyRow();
        row[0] = type;
        for (let index = 0; index < places.length; index += 1) {
          const { at, isText } = places[index] as (typeof places)[number];
          const cell = cells[index];
          if (cell !== null && cell !== undefined) row[at] = isText ? guardFormula(cell) : cell;
        }
        return row;
      };
    },
  };
}

/** The columns of several types, each name once, in the order they first come. */
export function unionOfColumns(types: readonly ExportType[]): string[] {
  return [...new Set(types.flatMap((type) => RECORD_TYPES[type].columns.map((column) => column.name)))];
}
