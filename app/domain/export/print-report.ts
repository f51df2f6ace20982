import type { ExportType } from './export-schema.ts';
import { isCalendarDay } from '../time/calendar-day.ts';
import { EXPORT_COLUMNS, type ExportCells } from './export-columns.ts';

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
  compounds: [
    { heading: 'Name', source: 'name', width: 20, align: 'left' },
    { heading: 'State', source: 'status', width: 10, align: 'left' },
    { heading: 'Left, mg', source: 'remainingAmount', width: 9, align: 'right' },
    { heading: 'Total, mg', source: 'totalAmount', width: 9, align: 'right' },
    { heading: 'mg/ml', source: 'concentration', width: 9, align: 'right' },
    { heading: 'Reconstituted', source: 'reconstitutionDate', width: 12, align: 'left' },
    { heading: 'Last day', source: 'beyondUseDate', width: 11, align: 'left' },
    { heading: 'Lot', source: 'lot', width: 12, align: 'left' },
    { heading: 'Notes', source: 'notes', width: 23, align: 'left' },
  ],
  schedules: [
    { heading: 'Name', source: 'name', width: 18, align: 'left' },
    { heading: 'Dose', source: 'doseAmount', width: 8, align: 'right' },
    { heading: 'Unit', source: 'doseUnit', width: 6, align: 'left' },
    { heading: 'How often', source: 'frequency', width: 10, align: 'left' },
    { heading: 'Times', source: 'times', width: 14, align: 'left' },
    { heading: 'Zone', source: 'timeZone', width: 14, align: 'left' },
    { heading: 'First day', source: 'startDate', width: 10, align: 'left' },
    { heading: 'Last day', source: 'endDate', width: 10, align: 'left' },
    { heading: 'Notes', source: 'notes', width: 25, align: 'left' },
  ],
  nutrition: [
    { heading: 'Day', source: 'date', width: 13, align: 'left' },
    { heading: 'Calories, kcal', source: 'calories', width: 13, align: 'right' },
    { heading: 'Protein, g', source: 'protein', width: 11, align: 'right' },
    { heading: 'Carbs, g', source: 'carbs', width: 11, align: 'right' },
    { heading: 'Fat, g', source: 'fat', width: 11, align: 'right' },
    { heading: 'Water, ml', source: 'water', width: 11, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 45, align: 'left' },
  ],
  sideEffects: [
    { heading: 'Started', source: 'startedAt', width: 16, align: 'left' },
    { heading: 'Ended', source: 'resolvedDate', width: 16, align: 'left' },
    { heading: 'Side effect', source: 'name', width: 24, align: 'left' },
    { heading: 'Severity, 1–5', source: 'severity', width: 12, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 47, align: 'left' },
  ],
  injectionSites: [
    { heading: 'Date', source: 'takenAt', width: 16, align: 'left' },
    { heading: 'Site', source: 'site', width: 22, align: 'left' },
    { heading: 'Compound', source: 'name', width: 20, align: 'left' },
    { heading: 'Dose', source: 'dose', width: 8, align: 'right' },
    { heading: 'Unit', source: 'doseUnit', width: 6, align: 'left' },
    { heading: 'Volume, ml', source: 'volume', width: 9, align: 'right' },
    { heading: 'Pain, 0–10', source: 'pain', width: 9, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 25, align: 'left' },
  ],
};

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
  const names = EXPORT_COLUMNS[type].map((column) => column.name);
  const places = REPORT_COLUMNS[type].map(({ source }) => ({
    at: names.indexOf(source),
    isInstant: INSTANTS.includes(source),
  }));
  return (cells) =>
    places.map(({ at, isInstant }) => {
      const cell = cells[at] ?? '';
      return isInstant && cell !== '' && !isCalendarDay(cell) ? showInstant(cell) : cell;
    });
}
