import { Decimal } from '#app/domain/decimal/decimal.ts';
import * as z from 'zod';
import {
  decimalField,
  lineField,
  momentField,
  notesField,
  picked,
  requiredLine,
  saveKeyField,
  type StoredValues,
} from '#app/domain/forms/fields.ts';
import { pagingSchema } from '#app/domain/forms/paging.ts';

/** The unit system that a user reads values in. */
export type UnitSystem = 'metric' | 'imperial';

/** A unit and how much of the canonical one it is. */
interface Scale {
  unit: string;
  /** Decimal text: canonical = entered × factor. */
  factor: string;
}

/** A health measure. */
export interface Metric {
  key: string;
  name: string;
  /** Values are always stored in the metric unit. */
  metric: Scale;
  imperial: Scale;
  /** Limits in the metric unit; anything beyond them is a typing mistake. */
  least: number;
  most: number;
  /** Decimals when a value is shown in another unit than it was entered in. */
  decimals: number;
}

const same = (unit: string) => ({ metric: { unit, factor: '1' }, imperial: { unit, factor: '1' } });

/** The international avoirdupois pound, exactly (NIST Special Publication 811, appendix B). */
const KG_PER_LB = '0.45359237';

/** Glucose: 1 mg/dL = 0.0555 mmol/L, from its molar mass of 180.156 g/mol (NIST Chemistry WebBook). */
const MMOL_PER_MG = '0.0555075';

/** The built-in measures in the order of the form. */
export const METRICS: readonly Metric[] = [
  {
    key: 'weight',
    name: 'Weight',
    metric: { unit: 'kg', factor: '1' },
    imperial: { unit: 'lb', factor: KG_PER_LB },
    least: 1,
    most: 700,
    decimals: 1,
  },
  { key: 'bodyFat', name: 'Body fat', ...same('%'), least: 0, most: 100, decimals: 1 },
  { key: 'systolic', name: 'Systolic pressure', ...same('mmHg'), least: 30, most: 350, decimals: 0 },
  { key: 'diastolic', name: 'Diastolic pressure', ...same('mmHg'), least: 10, most: 250, decimals: 0 },
  { key: 'heartRate', name: 'Heart rate', ...same('bpm'), least: 10, most: 350, decimals: 0 },
  {
    key: 'glucose',
    name: 'Glucose',
    metric: { unit: 'mmol/L', factor: '1' },
    imperial: { unit: 'mg/dL', factor: MMOL_PER_MG },
    least: 0.1,
    most: 100,
    decimals: 1,
  },
  { key: 'sleep', name: 'Sleep', ...same('h'), least: 0, most: 24, decimals: 1 },
  { key: 'mood', name: 'Mood, 1 to 10', ...same(''), least: 1, most: 10, decimals: 0 },
  { key: 'energy', name: 'Energy, 1 to 10', ...same(''), least: 1, most: 10, decimals: 0 },
];

/**
 * A blood pressure whose numbers seem swapped, as people write it: "80/120".
 * @param systolic in mmHg, as `diastolic`
 * @returns null when the systolic pressure is above the diastolic one, as it always is
 */
export function swappedPressure(systolic: number, diastolic: number): string | null {
  return systolic > diastolic ? null : `${systolic}/${diastolic}`;
}

/** The message for a pair from {@link swappedPressure}. */
export const swappedPressureText = (pair: string): string =>
  `The diastolic pressure should be the lower number, but you entered ${pair}.`;

/** How many measures a user can add. */
export const MAX_OWN_METRICS = 20;

/** A measure that a user added: one unit, any number from 0. */
export function ownMetric({ key, name, unit }: { key: string; name: string; unit: string }): Metric {
  return { key, name, ...same(unit), least: 0, most: 1_000_000, decimals: 3 };
}

/** A user's measures and unit system. */
export interface Measures {
  /** Built-in ones, then the person's own. */
  metrics: Metric[];
  own: Metric[];
  units: UnitSystem;
}

/** The measures of a person. @param units as the account has them; metric unless imperial */
export function measuresFrom(
  ownMetrics: readonly { key: string; name: string; unit: string }[],
  units: string | null | undefined,
): Measures {
  const own = ownMetrics.map(ownMetric);
  return { metrics: [...METRICS, ...own], own, units: units === 'imperial' ? 'imperial' : 'metric' };
}

/** The unit a person reads a measure in. */
export function unitOf(metric: Metric, system: UnitSystem): string {
  return metric[system].unit;
}

/** A value as stored: the nearest double in the metric unit, within the limits. @returns null beyond them */
export function canonicalValue(metric: Metric, text: string, unit: string): number | null {
  const scale = [metric.metric, metric.imperial].find((known) => known.unit === unit);
  if (scale === undefined) return null;
  const value = Number(new Decimal(text).times(scale.factor).toFixed());
  return value >= metric.least && value <= metric.most ? value : null;
}

/** A stored value in the unit a person reads, rounded half-up to the measure's decimals. */
export function valueIn(metric: Metric, value: number, system: UnitSystem): number {
  const { factor } = metric[system];
  if (factor === '1') return value;
  return Number(new Decimal(String(value)).div(factor).round(metric.decimals).toFixed());
}

/** A value as entered if that is the user's unit, otherwise converted. */
export function shownValue(
  metric: Metric,
  reading: { value: number; text: string; unit: string },
  system: UnitSystem,
): string {
  const { unit } = metric[system];
  const number =
    reading.unit === unit ? reading.text : valueIn(metric, reading.value, system).toFixed(metric.decimals);
  return unit ? `${number} ${unit}` : number;
}

/** The message for a value beyond the limits of a measure. */
export function limitsText({ name, least, most, metric }: Metric): string {
  return `${name} must be from ${least} to ${most}${metric.unit && ` ${metric.unit}`}`;
}

/** True for the key of a measure that a user added. The key is derived from the measure's name. */
export const isOwnMetricKey = (key: string): boolean => /^own-[0-9a-f]{16}$/.test(key);

export const HEALTH_MESSAGES = {
  measuredAt: 'Enter a date and time',
  future: 'The time cannot be in the future',
  value: 'Enter a number',
  empty: 'Enter at least one value',
  metric: 'Choose one of the measures',
  unit: 'Choose a unit of this measure',
  unitAlone: 'Send the value together with its unit',
  notes: 'Notes can have at most 2000 characters',
  name: 'Enter a name',
  nameLong: 'Name can have at most 60 characters',
  unitName: 'Unit can have at most 20 characters',
  metricThere: 'This measure already exists, or you have reached the limit of 20',
  noMetric: 'You do not have this measure.',
  notFound: 'This measurement does not exist.',
  csvLong: 'Paste up to 200,000 characters',
  csvLines: 'Paste up to 5,000 lines',
  csvEmpty: 'Paste a table first',
} as const;

const valueField = decimalField(HEALTH_MESSAGES.value, { most: 1_000_000 });

/** What may be noted about a measurement; null while nothing was entered. */
export const measurementDetails = { notes: notesField(HEALTH_MESSAGES.notes).nullish() };

/** The details among some fields. */
export const measurementDetailsOf = picked(measurementDetails);

export const measurementSchema = z.object({
  metric: z.string({ error: HEALTH_MESSAGES.metric }).max(60),
  value: valueField,
  /** The person's own unit unless given. */
  unit: z.string({ error: HEALTH_MESSAGES.unit }).max(20).optional(),
  measuredAt: momentField(HEALTH_MESSAGES.measuredAt),
  ...measurementDetails,
  saveKey: saveKeyField,
});
export type MeasurementInput = z.input<typeof measurementSchema>;

/** Changing a measurement: only the given fields change, and never the measure. */
export const updateMeasurementSchema = measurementSchema.omit({ metric: true, saveKey: true }).partial();
export type UpdateMeasurementInput = z.input<typeof updateMeasurementSchema>;

/** The form of a measurement, which keeps the measure and its unit. */
export const measurementFormSchema = measurementSchema
  .omit({ metric: true, unit: true, saveKey: true })
  .extend({
    /** The blood pressure that the user was asked about. */
    confirmedPressure: z.string().max(60).optional().catch(undefined),
  });

/** Everything that was measured at one time: numbers by the key of their measure. */
export const quickEntrySchema = z.object({
  measuredAt: momentField(HEALTH_MESSAGES.measuredAt),
  values: z.record(z.string().max(60), z.string().trim().max(40, { error: HEALTH_MESSAGES.value })),
  ...measurementDetails,
  saveKey: saveKeyField,
});
/** The form for everything that was measured at one time, as it was typed. */
export const quickEntryFormSchema = z.object({
  measuredAt: z.string().default(''),
  value: quickEntrySchema.shape.values.default({}),
  saveKey: saveKeyField,
  /** The blood pressure that the user was asked about. */
  confirmedPressure: z.string().optional(),
});

export type QuickEntryInput = z.input<typeof quickEntrySchema>;

/** A user's own measure. */
export const ownMetricSchema = z.object({
  name: requiredLine(HEALTH_MESSAGES.name, HEALTH_MESSAGES.nameLong, 60),
  unit: lineField(HEALTH_MESSAGES.unitName, 20).nullish(),
});
/** The forms of the page for a user's own measures. */
export const ownMetricFormSchema = z.discriminatedUnion('intent', [
  ownMetricSchema.extend({ intent: z.literal('add').optional() }),
  z.object({ intent: z.literal('remove'), key: z.string().default('') }),
]);

export type OwnMetricInput = z.input<typeof ownMetricSchema>;

/** A pasted table. */
export const csvSchema = z.object({
  text: z
    .string({ error: HEALTH_MESSAGES.csvEmpty })
    .max(200_000, { error: HEALTH_MESSAGES.csvLong, abort: true })
    .refine((text) => text.trim() !== '', { error: HEALTH_MESSAGES.csvEmpty }),
});
/** The form for a pasted table: `check` only shows what would be imported. */
export const pasteFormSchema = z.object({
  text: z.string().default(''),
  step: z.enum(['check', 'import']).default('check'),
  /** The swapped blood pressures that the user was asked about, as a hash. */
  confirmedPressures: z.string().optional(),
});

export type CsvInput = z.input<typeof csvSchema>;

/** The filters of the list. */
export const measurementQuerySchema = pagingSchema.extend({
  metric: z.string().max(60).optional().catch(undefined),
});
export type MeasurementQueryInput = z.input<typeof measurementQuerySchema>;

export interface Measurement extends StoredValues<typeof measurementDetails> {
  /** `health_…` */
  id: string;
  metric: string;
  measuredAt: Date;
  /** In the measure's metric unit. */
  value: number;
  /** Decimal text in `unit`, as entered. */
  text: string;
  unit: string;
}
