import type { ExportType } from './export-schema.ts';

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

/** The columns of each data type (decisions, section 7). */
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
  compounds: [
    fixed('id'),
    fixed('createdAt'),
    text('name'),
    number('concentration'),
    number('totalAmount'),
    number('remainingAmount'),
    number('waterMl'),
    number('displacement'),
    fixed('reconstitutionDate'),
    fixed('expirationDate'),
    fixed('beyondUseDate'),
    fixed('openedAt'),
    fixed('status'),
    text('storageTemp'),
    text('lot'),
    text('supplierId'),
    number('cost'),
    fixed('currency'),
    text('notes'),
  ],
  schedules: [
    fixed('id'),
    fixed('createdAt'),
    text('name'),
    fixed('compoundId'),
    number('doseAmount'),
    fixed('doseUnit'),
    fixed('frequency'),
    fixed('weekdays'),
    number('everyDays'),
    number('daysOn'),
    number('daysOff'),
    fixed('times'),
    fixed('timeZone'),
    fixed('startDate'),
    fixed('endDate'),
    number('rampStart'),
    number('rampStep'),
    number('rampEveryWeeks'),
    number('rampTarget'),
    number('weeksOn'),
    number('weeksOff'),
    text('route'),
    number('reminderLeadMinutes'),
    fixed('isActive'),
    fixed('nextDoseDate'),
    fixed('lastDoseDate'),
    text('notes'),
  ],
  nutrition: [
    fixed('id'),
    fixed('createdAt'),
    fixed('date'),
    number('calories'),
    number('protein'),
    number('carbs'),
    number('fat'),
    number('water'),
    text('notes'),
  ],
  sideEffects: [
    fixed('id'),
    fixed('createdAt'),
    text('name'),
    number('severity'),
    fixed('startedAt'),
    fixed('resolvedDate'),
    fixed('compoundId'),
    fixed('doseId'),
    number('imageCount'),
    text('notes'),
  ],
  injectionSites: [
    fixed('id'),
    fixed('createdAt'),
    fixed('site'),
    fixed('takenAt'),
    text('name'),
    fixed('compoundId'),
    number('dose'),
    fixed('doseUnit'),
    number('volume'),
    number('pain'),
    text('notes'),
    fixed('doseId'),
  ],
};

/** The columns of several types, each name once, in the order they first come. */
export function unionOfColumns(types: readonly ExportType[]): string[] {
  return [...new Set(types.flatMap((type) => EXPORT_COLUMNS[type].map((column) => column.name)))];
}
