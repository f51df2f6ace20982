import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import type { ExportedMove, PlannedPause } from '#app/domain/schedules/plan-changes.ts';
import type { ExportedSwap } from '#app/domain/schedules/plan-change-schema.ts';
import type { UnusualAmountCode } from '#app/domain/doses/dose-warnings.ts';
import type { VialWarningCode } from '#app/domain/vials/vial-schema.ts';
import type * as z from 'zod';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import type { SiteEntry } from '#app/domain/tracking/injection-site-schema.ts';
import type { NutritionEntry } from '#app/domain/tracking/nutrition-schema.ts';
import type { ScheduleFields } from '#app/domain/schedules/schedule-schema.ts';
import type { Measurement } from '#app/domain/tracking/measurements.ts';
import type { SideEffect } from '#app/domain/tracking/side-effect-schema.ts';
import type { LotIdentity } from '#app/domain/lots/lot.ts';
import type { LotDetails } from '#app/domain/lots/lot-schema.ts';
import type { Supply } from '#app/domain/supplies/supply.ts';
import type { ImportType } from './type-names.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { fieldErrors } from '#app/domain/forms/fields.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';

/**
 * What a column holds. Numbers are decimal text, unquoted in JSON. Text is guarded against being run as a formula in CSV.
 * Fixed values are written by us and never begin like a formula.
 */
type ColumnKind = 'text' | 'number' | 'fixed';

interface RecordColumn {
  name: string;
  kind: ColumnKind;
}

export const text = (name: string): RecordColumn => ({ name, kind: 'text' });
export const number = (name: string): RecordColumn => ({ name, kind: 'number' });
export const fixed = (name: string): RecordColumn => ({ name, kind: 'fixed' });

/**
 * The columns of a type. Programs may rely on a column's place, so fields that a noun got later come last.
 * @param fields the columns of the noun's fields; those that `first` has are left out
 */
export const columnsWith = (
  first: readonly RecordColumn[],
  fields: readonly RecordColumn[],
): readonly RecordColumn[] => [
  ...first,
  ...fields.filter(({ name }) => first.every((column) => column.name !== name)),
];

/** A column of the printed report. */
export interface PrintColumn {
  heading: string;
  /** The name of the export column that it shows. */
  source: string;
  /** Its share of the page's width. */
  width: number;
  align: 'left' | 'right';
  /**
   * Turns a cell that is written for programs into words.
   * @param cell what the column holds; not empty
   * @param of the cells of other columns of the row; '' for an empty one
   */
  show?: (cell: string, of: (column: string) => string) => string;
}

/** The cells of one row in the order of its type's columns; null is empty. */
export type ExportCells = readonly (string | null)[];

/**
 * The cells of a row from its values by column. Numbers become the shortest decimals of what was entered.
 * @param asEntered columns whose numbers keep their digits, such as a price of 24.50
 */
export const cellsOf = (
  columns: readonly RecordColumn[],
  values: Readonly<Record<string, string | number | boolean | Date | null | undefined>>,
  asEntered: readonly string[] = [],
): ExportCells =>
  columns.map(({ name, kind }) => {
    const value = values[name] ?? null;
    if (value === null) return null;
    if (value instanceof Date) return value.toISOString();
    return kind === 'number' && !asEntered.includes(name) ? plainText(String(value)) : String(value);
  });

/** The cells of one record of a file by column, without the empty ones. Numbers are still text. */
export type ImportCells = Readonly<Record<string, string>>;

/** What is needed to read a row. */
export interface ImportSetting {
  now: Date;
  /** The zone of times without one. */
  timeZone: string;
}

/** A record, or why the row is not one. */
export type ReadRow = { record: ImportedRecord } | { reason: string };

/** Everything that imports know about one type of record. */
export interface ImportableType {
  /** The beginning of this type's ids, without the underscore. */
  idPrefix: string;
  columns: readonly RecordColumn[];
  /** Reads one row of a file. Never throws. */
  read: (cells: ImportCells, setting: ImportSetting) => ReadRow;
}

/** Everything that exports and imports know about one type of record. */
export interface ExportableType<Row> extends ImportableType {
  /** The cells of a stored record, one for each of `columns`. */
  cells: (row: Row) => ExportCells;
  /** The columns of the printed report, with units in the headings. */
  printColumns: readonly PrintColumn[];
}

/** One record of a file, not yet read. */
export interface RawRow {
  type: ImportType;
  /** The line in a table, or the position in its list of a JSON file, from 1. */
  line: number;
  cells: ImportCells;
}

/** A record that cannot be imported, and why. */
export interface BadRow {
  /** The type as the file names it; '' if it does not. */
  type: string;
  line: number;
  reason: string;
}

/**
 * A record that is probably a mistake. An unusual amount is imported only if its owner confirms it; anything else is only
 * reported.
 */
export interface UnusualRow extends BadRow {
  code: UnusualAmountCode | VialWarningCode | 'PRESSURE_SWAPPED';
}

/** What was recognised in a phone's health file and what was left out, by the file's own type names. */
export interface HealthFileSummary {
  understood: { type: string; records: number; taken: string }[];
  leftOut: { type: string; records: number; reason: string }[];
}

/** The contents of a file before its values are checked. */
export interface RawFile {
  rows: RawRow[];
  bad: BadRow[];
  /** Before the first rows of a file that holds one type alone. */
  only?: ImportType;
  /** With the last rows of a phone's health file. */
  health?: HealthFileSummary;
}

/** A calculation with the concentration (mg/ml) and the volume (ml) that the file gives. */
export interface ImportedCalculation {
  type: 'calculations';
  id: string;
  createdAt: Date;
  input: CalculationInput;
  concentration: number;
  injectionVolume: number;
}

/** A lot with its certificate; its documents are not exported. */
export interface ImportedLot {
  type: 'lots';
  id: string;
  createdAt: Date;
  lot: LotIdentity & LotDetails & { supplierName: string | null };
}

/** A supply with its count and when it was counted. */
export interface ImportedSupply {
  type: 'supplies';
  id: string;
  createdAt: Date;
  supply: Omit<Supply, 'id' | 'version' | 'createdAt'>;
}

/** A vial with one or two ledger entries that sum up its history. */
export interface ImportedVial {
  type: 'compounds';
  id: string;
  vial: Omit<VialWithLedger, 'id' | 'userId'>;
}

/** A dose that was taken; importing it draws nothing from the stock. */
export interface ImportedDose {
  type: 'doses';
  /** In a plain table, which has no ids, the content of the record, which identifies it. */
  id: string;
  takenAt: Date;
  name: string;
  /** Decimal text in `unit`. */
  amount: string;
  unit: DoseUnit;
  site: string | null;
  notes: string | null;
  /** What it was drawn from, when that was a blend. */
  blend?: Blend;
}

/** A schedule with its state when it was exported. */
export interface ImportedSchedule {
  type: 'schedules';
  id: string;
  createdAt: Date;
  fields: Omit<ScheduleFields, 'saveKey'>;
  isActive: boolean;
  /** Its next dose when it was exported: earlier ones had been taken, skipped or missed. */
  nextDoseDate: Date | null;
  lastDoseDate: Date | null;
  /** Doses that are due at other times than the plan says; absent when there are none. */
  moves?: ExportedMove[];
  /** Planned pauses; absent when there are none. */
  pauses?: PlannedPause[];
  /** When it ended with its vial; absent when it did not. */
  stopsAt?: Date;
  /** Other compounds, vials and doses from a day on; absent when there are none. */
  swaps?: ExportedSwap[];
}

/** The nutrition of a day. */
export interface ImportedNutrition {
  type: 'nutrition';
  /** The day, because there is one entry per day. */
  id: string;
  createdAt: Date;
  entry: Omit<NutritionEntry, 'id'>;
}

/** A side effect without its pictures. */
export interface ImportedSideEffect {
  type: 'sideEffects';
  id: string;
  createdAt: Date;
  effect: SideEffect;
}

export interface ImportedInjectionSite {
  type: 'injectionSites';
  id: string;
  createdAt: Date;
  entry: Omit<SiteEntry, 'id'>;
}

/** A health measurement. */
export interface ImportedMeasurement {
  type: 'measurements';
  /** In a phone's file, whose records have no lasting ids, the key that identifies the measurement. */
  id: string;
  createdAt: Date;
  measurement: Omit<Measurement, 'id'>;
}

export type ImportedRecord =
  | ImportedCalculation
  | ImportedLot
  | ImportedVial
  | ImportedSchedule
  | ImportedDose
  | ImportedNutrition
  | ImportedSideEffect
  | ImportedInjectionSite
  | ImportedMeasurement
  | ImportedSupply;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

export const NOT_AN_INSTANT = 'This is not a date and time';

/** An instant as exports write it (ISO 8601 with its zone); null for anything else. */
export function readInstant(text: string | undefined): Date | null {
  if (text === undefined || !INSTANT.test(text)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** True for an id as Vialbook makes them: the prefix, an underscore, and letters and digits. */
export function isIdOf(prefix: string, text: string | undefined): text is string {
  return text !== undefined && text.startsWith(`${prefix}_`) && /^[a-z]+_[0-9A-Za-z]{8,64}$/.test(text);
}

/**
 * The id and creation time of a row of an export.
 * @param what names the record in the message, such as "a vial"
 * @returns both, or a message about what is wrong
 */
export function readIdentity(
  cells: ImportCells,
  prefix: string,
  what: string,
): { id: string; createdAt: Date } | string {
  const { id } = cells;
  const createdAt = readInstant(cells['createdAt']);
  if (!isIdOf(prefix, id)) return `id: This is not the id of ${what}`;
  return createdAt === null ? `createdAt: ${NOT_AN_INSTANT}` : { id, createdAt };
}

/** What is wrong with a row, in one sentence: each field with its first message. */
export function reasonOf(issues: readonly z.core.$ZodIssue[]): string {
  return Object.entries(fieldErrors(issues))
    .map(([field, [message = '']]) => (field === '' ? message : `${field}: ${message}`))
    .join('; ');
}

export const orNull = <T>(value: T | null | undefined): T | null => value ?? null;

/** The exporting user may live in another time zone, where days differ by up to a day in either direction. */
export const ZONES_APART_DAYS = 2;
export const ZONES_APART_MS = ZONES_APART_DAYS * DAY_MS;

/**
 * Reads when something happened; it must not be in the future in any time zone.
 * @param future the message for a future time
 * @returns the instant, or a message about what is wrong
 */
export function readPastInstant(
  cells: ImportCells,
  column: string,
  now: Date,
  future: string,
): Date | string {
  const instant = readInstant(cells[column]);
  if (instant === null) return `${column}: ${NOT_AN_INSTANT}`;
  return instant.getTime() > now.getTime() + ZONES_APART_MS ? `${column}: ${future}` : instant;
}
