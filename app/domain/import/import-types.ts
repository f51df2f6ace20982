import type { CalculationInput } from '#app/domain/calculator/types.ts';
import type { VialWithLedger } from '#app/domain/vials/vial-types.ts';
import type { SiteEntry } from '#app/domain/tracking/injection-site-schema.ts';
import type { NutritionEntry } from '#app/domain/tracking/nutrition-schema.ts';
import type { ScheduleFields } from '#app/domain/schedules/schedule-schema.ts';
import type { EffectEnd } from '#app/domain/tracking/side-effect-end.ts';

/**
 * What can be brought in, in the order it is: vials before what names them. `doses` come from the plain table of doses
 * alone.
 */
export const IMPORT_TYPES = [
  'calculations',
  'compounds',
  'schedules',
  'doses',
  'nutrition',
  'sideEffects',
  'injectionSites',
] as const;
export type ImportType = (typeof IMPORT_TYPES)[number];

/** The cells of one record by column; what was empty is absent. Numbers are still the text they were written as. */
export type ImportCells = Readonly<Record<string, string>>;

/** One record of a file, unread. */
export interface RawRow {
  type: ImportType;
  /** Line of a table, or place in its list of a JSON file, counted from 1. */
  line: number;
  cells: ImportCells;
}

/** A record that cannot be taken, and why. */
export interface BadRow {
  /** Type as the file names it; '' when it names none. */
  type: string;
  line: number;
  reason: string;
}

/** What a file holds, before its values are looked at. */
export interface RawFile {
  rows: RawRow[];
  bad: BadRow[];
}

/** A calculation with the two doubles as the file tells them. */
export interface ImportedCalculation {
  type: 'calculations';
  id: string;
  createdAt: Date;
  input: CalculationInput;
  concentration: number;
  injectionVolume: number;
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
  /** A plain table has no ids: the record's own content, by which it is known again. */
  id: string;
  takenAt: Date;
  name: string;
  /** Decimal text in `unit`. */
  amount: string;
  unit: 'mg' | 'mcg';
  site: string | null;
  notes: string | null;
}

/** A schedule with what had become of it. */
export interface ImportedSchedule {
  type: 'schedules';
  id: string;
  createdAt: Date;
  fields: Omit<ScheduleFields, 'saveKey'>;
  isActive: boolean;
  /** Its next dose when it was exported: earlier ones had been taken or given up. */
  nextDoseDate: Date | null;
  lastDoseDate: Date | null;
}

/** What was eaten and drunk on a day. */
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

export type ImportedRecord =
  | ImportedCalculation
  | ImportedVial
  | ImportedSchedule
  | ImportedDose
  | ImportedNutrition
  | ImportedSideEffect
  | ImportedInjectionSite;

/** What a reader must know of the world. */
export interface ImportSetting {
  now: Date;
  /** Zone of times that name none. */
  timeZone: string;
}

/** A record, or why there is none. */
export type ReadRow = { record: ImportedRecord } | { reason: string };
