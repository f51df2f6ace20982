import * as z from 'zod';
import { calculate } from './calculate.ts';
import { isDrawn, type ContainerForm, type SavedCalculation, type SubstanceUnit } from './calculation.ts';
import { countUnits } from './draw-words.ts';
import { saveKeyField } from '#app/domain/forms/fields.ts';
import { withoutControls } from '#app/domain/forms/text-fields.ts';

export const HISTORY_SORTS = ['date', 'name', 'concentration'] as const;
/** Date newest first, name alphabetical, concentration highest first. */
export type HistorySort = (typeof HISTORY_SORTS)[number];

/** Saved calculations on one page. */
export const HISTORY_PAGE_SIZE = 20;

/** The length that a search text is cut to. */
export const MAX_SEARCH_LENGTH = 200;

/** The query of the history list. Invalid values fall back to the defaults, so that old links still open. */
export const historyQuerySchema = z.object({
  search: z
    .string()
    .transform((text) => withoutControls(text).trim().slice(0, MAX_SEARCH_LENGTH))
    .default('')
    .catch(''),
  sort: z.enum(HISTORY_SORTS).default('date').catch('date'),
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1).catch(1),
  limit: z.coerce.number().int().min(1).max(100).default(HISTORY_PAGE_SIZE).catch(HISTORY_PAGE_SIZE),
  /** Where to continue, from a list's `next` or `previous`; makes deep pages as fast as the first. */
  cursor: z.string().max(2000).optional().catch(undefined),
});

export type HistoryQueryInput = z.input<typeof historyQuerySchema>;
export type HistoryQuery = z.output<typeof historyQuerySchema>;

/** The form that keeps a calculation from before the registration. */
export const keepCalculationSchema = z.object({ saveKey: saveKeyField });

/** The form that deletes a calculation; `list` stays on the list. */
export const deleteCalculationSchema = z.object({ from: z.string().optional() });

/** A saved calculation as the history lists it. */
export interface HistoryEntry extends SavedCalculation {
  /** True while it belongs to a sign-in session and is deleted with it. */
  isSessionOnly: boolean;
}

/** A saved calculation as text, made on the server so that the page needs no decimal arithmetic. */
export interface HistoryRow {
  id: string;
  /** Null when it was saved without one. */
  peptideName: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** The day and the time in the reader's zone, for the margin. */
  day: string;
  time: string;
  /** In the unit of the substance, ml, and the unit per ml. */
  peptideAmountText: string;
  /** Whether that is the measured amount and not the printed one. */
  isMeasured: boolean;
  waterVolumeText: string;
  concentrationText: string;
  desiredDoseText: string;
  /** "0.100 ml", "5 clicks". */
  drawText: string;
  form: ContainerForm;
  amountUnit: SubstanceUnit;
  notes: string | null;
  summary: string;
  isSessionOnly: boolean;
}

/** A row for the page, with its day and time in the reader's zone. */
export function historyRow(entry: HistoryEntry, timeZone: string): HistoryRow {
  const result = calculate(entry);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone });
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone });
  return {
    id: entry.id,
    peptideName: entry.peptideName ?? null,
    createdAt: entry.createdAt.toISOString(),
    day: day.format(entry.createdAt),
    time: time.format(entry.createdAt),
    peptideAmountText: result.peptideAmountText,
    isMeasured: result.measured !== undefined,
    waterVolumeText: result.waterVolumeText,
    concentrationText: result.concentrationText,
    desiredDoseText: result.desiredDoseText,
    drawText: isDrawn(result.form)
      ? `${result.injectionVolumeText} ml`
      : countUnits(result.unitsText, '', result.nearestMark.noun),
    form: result.form,
    amountUnit: result.amountUnit,
    notes: entry.notes ?? null,
    summary: result.summary,
    isSessionOnly: entry.isSessionOnly,
  };
}

/** The sums that the usage statistics are made of. */
interface StatisticsSource {
  total: number;
  /** Number of different compound names, ignoring case. */
  names: number;
  lastWeek: number;
  /** How many of them have a concentration in mg/ml; all if absent. */
  concentrations?: number;
  /** Sum of those: whole part, and the rest in 10^-9. */
  concentrationWhole: number;
  concentrationNano: number;
}

/** The usage statistics panel. */
export interface UsageStatistics {
  totalCalculations: number;
  uniqueCompounds: number;
  lastSevenDays: number;
  /** mg/ml, rounded half-up to 2 decimals; null without a calculation. */
  averageConcentration: number | null;
  /** The same with both decimals ("2.50"); null without a calculation. */
  averageConcentrationText: string | null;
}

/** Half-up division of whole numbers that are not negative. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/**
 * The mean concentration in hundredths of mg/ml. Each concentration in the sum is off by at most half of 10^-9, so the
 * mean is first rounded to 7 decimals: a mean exactly between two hundredths must round up, despite an error in the last
 * digit.
 */
function meanInHundredths(source: StatisticsSource): bigint {
  const sum = BigInt(source.concentrationWhole) * 1_000_000_000n + BigInt(source.concentrationNano);
  const tenMillionths = divideRounded(sum, BigInt(source.concentrations ?? source.total) * 100n);
  return divideRounded(tenMillionths, 100_000n);
}

/** The statistics from the sums. */
export function summarise(source: StatisticsSource): UsageStatistics {
  const counts = {
    totalCalculations: source.total,
    uniqueCompounds: source.names,
    lastSevenDays: source.lastWeek,
  };
  if ((source.concentrations ?? source.total) <= 0)
    return { ...counts, averageConcentration: null, averageConcentrationText: null };
  const hundredths = meanInHundredths(source).toString().padStart(3, '0');
  const text = `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`;
  return { ...counts, averageConcentration: Number(text), averageConcentrationText: text };
}
