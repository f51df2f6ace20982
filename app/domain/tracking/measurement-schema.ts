import * as z from 'zod';
import { decimalField, lineField, momentField, notesField, saveKeyField } from '#app/domain/forms/fields.ts';
import { pagingSchema } from '#app/domain/forms/paging.ts';

export const HEALTH_MESSAGES = {
  measuredAt: 'Enter a date and time',
  future: 'The time cannot be in the future',
  value: 'Enter a number',
  empty: 'Enter at least one value',
  metric: 'Choose one of the measures',
  unit: 'Choose a unit of this measure',
  notes: 'Notes can have at most 2000 characters',
  name: 'Name is required, at most 60 characters',
  unitName: 'Unit can have at most 20 characters',
  metricThere: 'This measure already exists, or you have reached the limit of 20',
  noMetric: 'You do not have this measure.',
  notFound: 'This measurement does not exist.',
  csvLong: 'Paste up to 200,000 characters',
  csvLines: 'Paste up to 5,000 lines',
  csvEmpty: 'Paste a table first',
} as const;

const number = decimalField(HEALTH_MESSAGES.value, { most: 1_000_000 });

/** One measurement. */
export const measurementSchema = z.object({
  metric: z.string({ error: HEALTH_MESSAGES.metric }).max(60),
  value: number,
  /** The person's own unit unless given. */
  unit: z.string({ error: HEALTH_MESSAGES.unit }).max(20).optional(),
  measuredAt: momentField(HEALTH_MESSAGES.measuredAt),
  notes: notesField(HEALTH_MESSAGES.notes).nullish(),
  saveKey: saveKeyField,
});
export type MeasurementInput = z.input<typeof measurementSchema>;

/** Changing one: only what is given changes. What is measured stays. */
export const updateMeasurementSchema = measurementSchema.omit({ metric: true, saveKey: true }).partial();
export type UpdateMeasurementInput = z.input<typeof updateMeasurementSchema>;

/** Everything that was measured at one time: numbers by the key of their measure. */
export const quickEntrySchema = z.object({
  measuredAt: momentField(HEALTH_MESSAGES.measuredAt),
  values: z.record(z.string().max(60), z.string().trim().max(40, { error: HEALTH_MESSAGES.value })),
  notes: notesField(HEALTH_MESSAGES.notes).nullish(),
  saveKey: saveKeyField,
});
export type QuickEntryInput = z.input<typeof quickEntrySchema>;

/** A measure of one's own. */
export const ownMetricSchema = z.object({
  name: lineField(HEALTH_MESSAGES.name, 60)
    .refine((text) => text !== null, { error: HEALTH_MESSAGES.name })
    .transform(String),
  unit: lineField(HEALTH_MESSAGES.unitName, 20).nullish(),
});
export type OwnMetricInput = z.input<typeof ownMetricSchema>;

/** A pasted table. */
export const csvSchema = z.object({
  text: z
    .string({ error: HEALTH_MESSAGES.csvEmpty })
    .max(200_000, { error: HEALTH_MESSAGES.csvLong })
    .refine((text) => text.trim() !== '', { error: HEALTH_MESSAGES.csvEmpty }),
});
export type CsvInput = z.input<typeof csvSchema>;

/** Which measurements are asked for. */
export const measurementQuerySchema = pagingSchema.extend({
  metric: z.string().max(60).optional().catch(undefined),
});
export type MeasurementQueryInput = z.input<typeof measurementQuerySchema>;

/** A measurement. */
export interface Measurement {
  /** `health_…` */
  id: string;
  metric: string;
  measuredAt: Date;
  /** In the measure's metric unit. */
  value: number;
  /** Decimal text in `unit`, as entered. */
  text: string;
  unit: string;
  notes: string | null;
}
