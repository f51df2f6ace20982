import { DEFAULT_SYRINGE, type DoseUnit } from '#app/domain/calculator/calculation.ts';
import { unitsOf, unitsText } from '#app/domain/units/quantity.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import {
  strengthOf,
  doseWords,
  givenWords,
  plannedWords,
  containerOf,
  contentsOf,
  type Blend,
} from '#app/domain/vials/contents.ts';
import { hoursText, severityText } from '#app/domain/tracking/side-effects.ts';
import { isCalendarDay, shownDay, HOUR_MS } from '#app/domain/time/calendar.ts';
import { STATUS_LABELS, type DoseStatus } from '#app/domain/doses/dose.ts';
import { strengthFigure, vialRow } from '#app/domain/vials/vial-texts.ts';
import { beyondUseDay, type Vial } from '#app/domain/vials/vial.ts';
import { siteName } from '#app/domain/tracking/sites.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { minutesLate, timingText } from './report-timing.ts';
import type { ReportColumn } from './report-types.ts';

interface EffectSpan {
  startedAt: Date;
  /** As entered: a day or an instant; null while it is ongoing. */
  resolvedDate: string | null;
  resolvedAt: Date | null;
}

/**
 * How long a side effect lasted: "6.5 h"; "about 3 days" if only the day of its end is known; "ongoing" if it has not ended.
 */
export function effectLength({ startedAt, resolvedDate, resolvedAt }: EffectSpan): string {
  if (resolvedAt === null) return 'ongoing';
  const text = hoursText((resolvedAt.getTime() - startedAt.getTime()) / HOUR_MS);
  if (resolvedDate === null || !isCalendarDay(resolvedDate)) return text;
  return resolvedAt.getTime() === startedAt.getTime() ? 'less than a day' : `about ${text}`;
}

/** Shown in an empty cell. */
const NOTHING = '–';

const or = (text: string | null) => text ?? NOTHING;
const NOTES: ReportColumn = { label: 'Notes', width: 18 };
const withNotes = (columns: readonly ReportColumn[], notes: boolean) =>
  notes ? [...columns, NOTES] : [...columns];

/** The fields of a dose that the report uses. */
export interface ReportDose {
  scheduleId: string | null;
  name: string;
  dueDate: Date;
  doseAmount: string;
  doseUnit: DoseUnit;
  status: DoseStatus;
  takenAt: Date | null;
  /** The blend in its plan, and the one it was drawn from; absent for a single peptide. */
  blend?: Blend | null | undefined;
  drawn?: Blend | null | undefined;
  /** True if taken so early or late that adherence counts it as missed. */
  offTime?: boolean | null;
  /** True if taken as needed, without being due. */
  asNeeded?: boolean;
  actualDose: string | null;
  site: string | null;
  notes: string | null;
}

/** True if a plan scheduled the dose. */
export const isPlanned = ({ scheduleId, asNeeded }: Pick<ReportDose, 'scheduleId' | 'asNeeded'>): boolean =>
  scheduleId !== null && asNeeded !== true;

/** How many minutes late a planned dose was taken, negative if early; null if it was not planned or not taken. */
export function latenessOf(dose: ReportDose): number | null {
  const { status, takenAt, dueDate } = dose;
  if (!isPlanned(dose) || status !== 'taken' || takenAt === null) return null;
  return minutesLate(dueDate, takenAt);
}

export const doseColumns = (notes: boolean) =>
  withNotes(
    [
      { label: 'Due', width: 16 },
      { label: 'Compound', width: 18 },
      { label: 'Planned', width: 10, numeric: true },
      { label: 'Status', width: 12 },
      { label: 'Taken', width: 10, numeric: true },
      { label: 'Taken at', width: 16 },
      { label: 'Early or late', width: 14 },
    ],
    notes,
  );

/** A dose as cells. A dose that was not planned has no due time. */
export function doseCells(dose: ReportDose, timeZone: string, notes: boolean): string[] {
  const { name, dueDate, status, takenAt } = dose;
  const late = latenessOf(dose);
  const taken = status === 'taken' ? givenWords(dose) : null;
  return [
    isPlanned(dose) ? localDateTime(dueDate, timeZone) : dose.asNeeded ? 'As needed' : 'Not scheduled',
    name,
    dose.scheduleId === null ? NOTHING : plannedWords(dose),
    status === 'pending' ? 'Not logged yet' : STATUS_LABELS[status],
    or(taken),
    status === 'taken' && takenAt ? localDateTime(takenAt, timeZone) : NOTHING,
    late === null ? NOTHING : timingText(late),
    ...(notes ? [or(dose.notes)] : []),
  ];
}

/** The fields of a side effect that the report uses. */
export interface ReportEffect extends EffectSpan {
  name: string;
  severity: number;
  notes: string | null;
}

export const effectColumns = (notes: boolean) =>
  withNotes(
    [
      { label: 'Began', width: 16 },
      { label: 'Side effect', width: 20 },
      { label: 'Severity', width: 14 },
      { label: 'Duration', width: 14 },
      { label: 'Compound', width: 18 },
    ],
    notes,
  );

/** A side effect as cells. @param compound the linked compound; null if there is none */
export function effectCells(
  effect: ReportEffect,
  compound: string | null,
  timeZone: string,
  notes: boolean,
): string[] {
  return [
    localDateTime(effect.startedAt, timeZone),
    effect.name,
    severityText(effect.severity),
    effectLength(effect),
    or(compound),
    ...(notes ? [or(effect.notes)] : []),
  ];
}

/** The most kinds that are counted separately; any others are counted together. */
const MOST_KINDS = 200;

const OTHERS = 'All others';

interface Kind {
  name: string;
  count: number;
  least: number;
  most: number;
  lasting: number;
  longestHours: number | null;
}

export const KIND_COLUMNS: readonly ReportColumn[] = [
  { label: 'Side effect', width: 26 },
  { label: 'Times', width: 10, numeric: true },
  { label: 'Severity of 5', width: 14, numeric: true },
  { label: 'Ongoing', width: 14, numeric: true },
  { label: 'Longest', width: 14, numeric: true },
];

const between = (least: number, most: number) => (least === most ? `${most}` : `${least} to ${most}`);

const hoursOf = (effect: ReportEffect): number | null =>
  effect.resolvedAt === null ? null : (effect.resolvedAt.getTime() - effect.startedAt.getTime()) / HOUR_MS;

/** Summarises side effects by name, ignoring case, while they are read, in any order. */
export function effectKinds() {
  const kinds = new Map<string, Kind>();
  const kindOf = (name: string): Kind => {
    const known = kinds.get(name.toLowerCase());
    if (known) return known;
    const [key, shown] = kinds.size < MOST_KINDS ? [name.toLowerCase(), name] : ['', OTHERS];
    const kind = kinds.get(key) ?? {
      name: shown,
      count: 0,
      least: 5,
      most: 1,
      lasting: 0,
      longestHours: null,
    };
    kinds.set(key, kind);
    return kind;
  };
  return {
    add(effect: ReportEffect): void {
      const kind = kindOf(effect.name);
      const hours = hoursOf(effect);
      kind.count += 1;
      kind.least = Math.min(kind.least, effect.severity);
      kind.most = Math.max(kind.most, effect.severity);
      if (hours === null) kind.lasting += 1;
      else kind.longestHours = Math.max(kind.longestHours ?? 0, hours);
    },
    /** Most frequent first; empty if each occurred once, because the list then says the same. */
    rows(): string[][] {
      const all = [...kinds.values()];
      if (all.every(({ count }) => count === 1)) return [];
      return all
        .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
        .map(({ name, count, least, most, lasting, longestHours }) => [
          name,
          String(count),
          between(least, most),
          String(lasting),
          longestHours === null ? NOTHING : hoursText(longestHours),
        ]);
    },
  };
}

/** The fields of an injection that the report uses. */
export interface ReportSite {
  site: string;
  takenAt: Date;
  name: string | null;
  dose: string | null;
  doseUnit: DoseUnit;
  /** The blend that its dose was drawn from; absent for a single peptide. */
  blend?: Blend | null | undefined;
  pain: number | null;
  notes: string | null;
}

export const siteColumns = (notes: boolean) =>
  withNotes(
    [
      { label: 'When', width: 16 },
      { label: 'Site', width: 24 },
      { label: 'Compound', width: 18 },
      { label: 'Dose', width: 10, numeric: true },
      { label: 'Pain, 0 to 10', width: 10, numeric: true },
    ],
    notes,
  );

export function siteCells(entry: ReportSite, timeZone: string, notes: boolean): string[] {
  return [
    localDateTime(entry.takenAt, timeZone),
    siteName(entry.site),
    or(entry.name),
    entry.dose === null ? NOTHING : doseWords(entry.dose, entry.doseUnit, entry.blend),
    entry.pain === null ? NOTHING : String(entry.pain),
    ...(notes ? [or(entry.notes)] : []),
  ];
}

export const VIAL_COLUMNS: readonly ReportColumn[] = [
  { label: 'Compound', width: 17 },
  { label: 'Status', width: 12 },
  { label: 'Left', width: 14, numeric: true },
  { label: 'Concentration', width: 12, numeric: true },
  { label: '1 mg on a U-100 syringe', width: 12, numeric: true },
  { label: 'Reconstituted', width: 12 },
  { label: 'Use by', width: 12 },
  { label: 'Lot', width: 9 },
];

export function vialCells(vial: Vial): string[] {
  const { parts, remainingText, totalText, unit, strengthUnit, statusText } = vialRow(vial, '');
  const container = containerOf(vial);
  const each = contentsOf(vial).map(({ name }, at) => ({
    name: parts.length === 0 ? '' : `${name} `,
    left: parts[at] ?? { remainingText, totalText },
    strength: strengthFigure(vial, at),
    ratio: strengthOf(vial, at),
  }));
  const lines = (text: (one: (typeof each)[number]) => string | null): string =>
    each.map((one) => `${one.name}${text(one) ?? NOTHING}`).join('; ');
  const lastDay = beyondUseDay(vial);
  const mixed = vial.reconstitutionDate;
  return [
    vial.name,
    statusText,
    lines(({ left }) => `${left.remainingText} of ${left.totalText} ${unit}`),
    lines(({ strength }) => (strength === null ? null : `${strength} ${strengthUnit}`)),
    lines(({ ratio }) => {
      if (ratio === null) return null;
      const syringe = DEFAULT_SYRINGE;
      const words = (amount: string) =>
        unitsText(unitsOf(new Decimal(amount), ratio, syringe, container), syringe, container);
      return unit === 'IU' ? `100 IU: ${words('100')}` : words('1');
    }),
    mixed === null ? NOTHING : shownDay(mixed),
    lastDay === null ? NOTHING : shownDay(lastDay),
    or(vial.lot),
  ];
}
