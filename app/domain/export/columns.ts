import type { ExportType } from '../schemas/export.ts';

/**
 * What a column holds. Numbers are decimal text and stand unquoted in JSON; text is guarded against being run as a
 * formula in CSV; fixed values are written by us and never begin like a formula.
 */
export type ColumnKind = 'text' | 'number' | 'fixed';

export interface ExportColumn {
  name: string;
  kind: ColumnKind;
}

/** The cells of one row in the order of its type's columns; null is empty. */
export type ExportCells = readonly (string | null)[];

const text = (name: string): ExportColumn => ({ name, kind: 'text' });
const number = (name: string): ExportColumn => ({ name, kind: 'number' });
const fixed = (name: string): ExportColumn => ({ name, kind: 'fixed' });

/** The columns of each data type (decisions, section 7). A type without columns has no records yet. */
export const EXPORT_COLUMNS: Readonly<Record<ExportType, readonly ExportColumn[]>> = {
  calculations: [
    fixed('id'),
    fixed('createdAt'),
    fixed('type'),
    text('peptideName'),
    number('peptideAmount'),
    number('waterVolume'),
    number('desiredDose'),
    number('concentration'),
    number('injectionVolume'),
    fixed('concentrationText'),
    fixed('injectionVolumeText'),
    text('notes'),
  ],
  compounds: [],
  schedules: [],
  nutrition: [],
  sideEffects: [],
  injectionSites: [],
};

/** The columns of several types, each name once, in the order they first come. */
export function unionOfColumns(types: readonly ExportType[]): string[] {
  return [...new Set(types.flatMap((type) => EXPORT_COLUMNS[type].map((column) => column.name)))];
}
