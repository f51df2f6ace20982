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
import type { EffectEnd } from '#app/domain/tracking/side-effect-schema.ts';
import type { Certificate, LotIdentity } from '#app/domain/lots/lot.ts';
import type { Supply } from '#app/domain/supplies/supply.ts';
import type { ImportType } from './type-names.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { fieldErrors } from '#app/domain/forms/fields.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';

/**
 * What a column holds. Numbers are decimal text and stand unquoted in JSON; text is guarded against being run as a
 * formula in CSV; fixed values are written by us and never begin like a formula.
 */
type ColumnKind = 'text' | 'number' | 'fixed';

interface RecordColumn {
  name: string;
  kind: ColumnKind;
}

export const text = (name: string): RecordColumn => ({ name, kind: 'text' });
export const number = (name: string): RecordColumn => ({ name, kind: 'number' });
export const fixed = (name: string): RecordColumn => ({ name, kind: 'fixed' });

/** A column of the printed report. */
export interface PrintColumn {
  heading: string;
  /** Name of the export's column that it shows. */
  source: string;
  /** Its share of the page's width. */
  width: number;
  align: 'left' | 'right';
  /**
   * The cell in words, where the file's own text is for programs.
   * @param cell what the column holds; not empty
   * @param of the cells of other columns of the row; '' for an empty one
   */
  show?: (cell: string, of: (column: string) => string) => string;
}

/** The cells of one row in the order of its type's columns; null is empty. */
export type ExportCells = readonly (string | null)[];

/** The cells of one record of a file by column, without the empty ones. Numbers are still the text they were written as. */
export type ImportCells = Readonly<Record<string, string>>;

/** What a reader must know besides the row. */
export interface ImportSetting {
  now: Date;
  /** Zone of times that name none. */
  timeZone: string;
}

/** A record, or why there is none. */
export type ReadRow = { record: ImportedRecord } | { reason: string };

/** Everything that imports know about one type of record. */
export interface ImportableType {
  /** How ids of this type begin, without the underscore. */
  idPrefix: string;
  columns: readonly RecordColumn[];
  /** Reads one row of a file. Never throws. */
  read: (cells: ImportCells, setting: ImportSetting) => ReadRow;
}

/** Everything that exports and imports know about one type of record. */
export interface ExportableType<Row> extends ImportableType {
  /** The cells of a stored record, one for each of `columns`. */
  cells: (row: Row) => ExportCells;
  /** What a person reads on paper, units in the headings. */
  printColumns: readonly PrintColumn[];
}

/** One record of a file, not yet read. */
export interface RawRow {
  type: ImportType;
  /** Line of a table, or place in its list of a JSON file, counted from 1. */
  line: number;
  cells: ImportCells;
}

/** A record that cannot be imported, and why. */
export interface BadRow {
  /** Type as the file names it; '' when it names none. */
  type: string;
  line: number;
  reason: string;
}

/**
 * A record that is probably a slip. An unusual amount is imported only when its owner says so; anything else is only
 * reported, as by every door but a page.
 */
export interface UnusualRow extends BadRow {
  code: UnusualAmountCode | VialWarningCode | 'PRESSURE_SWAPPED';
}

/** What was understood of a phone's health file and what was left out, by the file's own names of its types. */
export interface HealthFileSummary {
  understood: { type: string; records: number; taken: string }[];
  leftOut: { type: string; records: number; reason: string }[];
}

/** What a file holds, before its values are looked at. */
export interface RawFile {
  rows: RawRow[];
  bad: BadRow[];
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
  lot: Certificate &
    LotIdentity & { supplierName: string | null; expirationDate: string | null; notes: string | null };
}

/** A supply with its count and when it was made. */
export interface ImportedSupply {
  type: 'supplies';
  id: string;
  createdAt: Date;
  supply: Omit<Supply, 'id' | 'version' | 'createdAt'>;
}

/** A vial with the one or two entries of its ledger that say what happened before. */
export interface ImportedVial {
  type: 'compounds';
  id: string;
  vial: Omit<VialWithLedger, 'id' | 'userId'>;
}

/** A dose that was taken; it takes nothing from the stock. */
export interface ImportedDose {
  type: 'doses';
  /** Of a plain table, which has no ids, the record's own content, by which it is known again. */
  id: string;
  takenAt: Date;
  name: string;
  /** Decimal text in `unit`. */
  amount: string;
  unit: 'mg' | 'mcg';
  site: string | null;
  notes: string | null;
  /** What it was drawn from, when that was a blend. */
  blend?: Blend;
}

/** A schedule, and where it stood when it was exported. */
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

/** Logs the nutrition of a day. */
export interface ImportedNutrition {
  type: 'nutrition';
  /** The day: there is one entry for each. */
  id: string;
  createdAt: Date;
  entry: Omit<NutritionEntry, 'id'>;
}

/** A side effect without its pictures. */
export interface ImportedSideEffect {
  type: 'sideEffects';
  id: string;
  createdAt: Date;
  effect: EffectEnd & {
    name: string;
    severity: number;
    startedAt: Date;
    compoundId: string | null;
    doseId: string | null;
    notes: string | null;
  };
}

/** An injection at a site. */
export interface ImportedInjectionSite {
  type: 'injectionSites';
  id: string;
  createdAt: Date;
  entry: Omit<SiteEntry, 'id'>;
}

/** A health measurement. */
export interface ImportedMeasurement {
  type: 'measurements';
  /** Of a phone's file, whose records have no ids that last, what the measurement is known by. */
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
 * What every row of an export says of itself.
 * @param what names the record in the message, as "a vial"
 * @returns or what is wrong
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

/** The cell of an amount: the shortest decimal text of what was entered. */
export const amountCell = (entered: string | null): string | null =>
  entered === null ? null : plainText(entered);

/** The person who exported may live in another zone: their days can be up to a day away on either side. */
export const ZONES_APART_DAYS = 2;
export const ZONES_APART_MS = ZONES_APART_DAYS * DAY_MS;

/**
 * When something happened, which no zone has yet to come to.
 * @param future what is wrong with a time to come
 * @returns or what is wrong
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
