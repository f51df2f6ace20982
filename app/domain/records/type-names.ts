import { plural } from '#app/domain/text/plural.ts';

/** The columns of the plain table of doses; the last two may be missing. */
export const DOSE_COLUMNS = ['takenAt', 'name', 'amount', 'unit', 'site', 'notes'] as const;
export const REQUIRED_DOSE_COLUMNS = DOSE_COLUMNS.slice(0, 4);

const LINES = [
  [...DOSE_COLUMNS],
  ['2026-03-08 08:00', 'BPC-157', '250', 'mcg', 'abdomen-upper-left', ''],
  ['2026-03-09T08:05:00+01:00', 'BPC-157', '0.25', 'mg', '', 'after breakfast'],
];

/** The plain table of doses with two sample lines. It can be imported as it is. */
export const DOSE_EXAMPLE = `${LINES.map((cells) => cells.join(',')).join('\r\n')}\r\n`;

/** The types of records that an export holds, by their JSON keys, in the order they are written. */
export const EXPORT_TYPES = [
  'calculations',
  'lots',
  'compounds',
  'schedules',
  'doses',
  'nutrition',
  'sideEffects',
  'injectionSites',
  'measurements',
  'supplies',
] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

/** All types can be imported, in the same order: lots and vials before the records that refer to them. */
export const IMPORT_TYPES = EXPORT_TYPES;
export type ImportType = ExportType;

/** How many records of each type. */
export type TypeCounts = Readonly<Partial<Record<ImportType, number>>>;

/** How many of each type, including zeros, for programs. */
export const allCounts = (counts: TypeCounts): Record<ImportType, number> =>
  Object.fromEntries(IMPORT_TYPES.map((type) => [type, counts[type] ?? 0])) as Record<ImportType, number>;

interface TypeName {
  /** In the export form and as a heading of the printed report. */
  title: string;
  /** In a sentence: "1 vial", "2 vials". */
  one: string;
  many: string;
  /** Whether a free account cannot export or import it. */
  premium: { export: boolean; import: boolean };
}

const FREE = { export: false, import: false };
const PREMIUM = { export: true, import: true };

/** The name of each type in texts, and whether it belongs to Premium. */
export const TYPE_NAMES: Readonly<Record<ImportType, TypeName>> = {
  calculations: { title: 'Dose calculations', one: 'calculation', many: 'calculations', premium: FREE },
  lots: { title: 'Lots and certificates', one: 'lot', many: 'lots', premium: FREE },
  compounds: { title: 'Compounds', one: 'vial', many: 'vials', premium: FREE },
  schedules: {
    title: 'Schedules',
    one: 'schedule',
    many: 'schedules',
    premium: { export: false, import: true },
  },
  doses: { title: 'Doses taken', one: 'dose', many: 'doses', premium: PREMIUM },
  nutrition: { title: 'Nutrition', one: 'day of nutrition', many: 'days of nutrition', premium: PREMIUM },
  sideEffects: { title: 'Side effects', one: 'side effect', many: 'side effects', premium: PREMIUM },
  injectionSites: { title: 'Injection sites', one: 'injection', many: 'injections', premium: PREMIUM },
  supplies: { title: 'Syringes and other supplies', one: 'supply', many: 'supplies', premium: FREE },
  measurements: { title: 'Health', one: 'measurement', many: 'measurements', premium: PREMIUM },
};

/** Whether a name, such as a key in a file, is a type. */
export const isImportType = (name: string): name is ImportType => Object.hasOwn(TYPE_NAMES, name);

/** How many of each type as text, such as "2 vials, 1 schedule"; null if there are none. */
export function countsText(counts: TypeCounts): string | null {
  const parts = Object.entries(counts).flatMap(([type, count]) =>
    isImportType(type) && count > 0 ? [plural(count, TYPE_NAMES[type].one, TYPE_NAMES[type].many)] : [],
  );
  return parts.length === 0 ? null : parts.join(', ');
}
