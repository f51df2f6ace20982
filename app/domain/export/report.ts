import type { ExportType } from '../schemas/export.ts';
import { EXPORT_COLUMNS, type ExportCells } from './columns.ts';

/** A column of the printed report: what stands above it, where it comes from, and its share of the width. */
export interface ReportColumn {
  heading: string;
  /** Name of the export's column. */
  source: string;
  width: number;
  align: 'left' | 'right';
}

/** Headings of the report's sections (specification, section 2). */
export const SECTION_TITLES: Readonly<Record<ExportType, string>> = {
  calculations: 'Dose calculations',
  compounds: 'Compounds',
  schedules: 'Schedules',
  nutrition: 'Nutrition',
  sideEffects: 'Side effects',
  injectionSites: 'Injection sites',
};

/** The columns of the report by type: what a person reads on paper, units in the headings. */
export const REPORT_COLUMNS: Readonly<Record<ExportType, readonly ReportColumn[]>> = {
  calculations: [
    { heading: 'Date', source: 'createdAt', width: 15, align: 'left' },
    { heading: 'Peptide', source: 'peptideName', width: 20, align: 'left' },
    { heading: 'Amount, mg', source: 'peptideAmount', width: 10, align: 'right' },
    { heading: 'Water, ml', source: 'waterVolume', width: 10, align: 'right' },
    { heading: 'Dose, mg', source: 'desiredDose', width: 10, align: 'right' },
    { heading: 'mg/ml', source: 'concentrationText', width: 9, align: 'right' },
    { heading: 'Volume, ml', source: 'injectionVolumeText', width: 10, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 31, align: 'left' },
  ],
  compounds: [],
  schedules: [],
  nutrition: [],
  sideEffects: [],
  injectionSites: [],
};

/**
 * A function that turns a row of one type into the report's cells; what is missing is empty.
 * @param showInstant writes an ISO instant as a date and time of the reader's zone
 */
export function reportRow(
  type: ExportType,
  showInstant: (iso: string) => string,
): (cells: ExportCells) => string[] {
  const names = EXPORT_COLUMNS[type].map((column) => column.name);
  const places = REPORT_COLUMNS[type].map(({ source }) => ({
    at: names.indexOf(source),
    isInstant: source === 'createdAt',
  }));
  return (cells) =>
    places.map(({ at, isInstant }) => {
      const cell = cells[at] ?? '';
      return isInstant && cell !== '' ? showInstant(cell) : cell;
    });
}
