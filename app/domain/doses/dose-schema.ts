import * as z from 'zod';
import { DOSE_STATUSES } from './dose-status.ts';
import { DOSE_WARNINGS } from './dose-warnings.ts';
import { SCHEDULE_DOSE_UNITS } from '#app/domain/schedules/schedule-types.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import { decimalText, nameText, notesText } from '#app/domain/forms/text-fields.ts';
import { dayField, idField, momentField } from '#app/domain/forms/entry-fields.ts';

/** Most doses that one backfill logs, and that one list holds. */
export const MAX_BACKFILL = 200;
export const MAX_LISTED_DOSES = 100;

/** Messages of the dose forms. The toasts are those of the specification, section 8. */
export const DOSE_MESSAGES = {
  taken: 'Dose marked as taken',
  missed: 'Dose marked as missed',
  skipped: 'Dose marked as skipped',
  failed: 'Failed to update dose',
  undone: 'Undone. The dose is back to what it was.',
  removed: 'Undone. The dose is removed and its stock is returned.',
  alreadyTaken: 'This dose is logged as taken already. Undo it first to change it.',
  nothingToUndo: 'There is nothing to undo.',
  notFound: 'There is no such dose.',
  changedMeanwhile: 'The dose was changed at the same time. Look at it again.',
  amount: 'Dose must be above 0 and at most 100 mg',
  takenAt: 'Enter a date and a time',
  future: 'The time lies in the future',
  site: 'Choose one of the listed sites',
  vial: 'Choose one of your vials',
  name: 'Name is required',
  unit: 'Dose unit must be mg or mcg',
  none: 'Tick at least one dose.',
  day: 'Enter a day as YYYY-MM-DD',
  status: `Status must be one of ${DOSE_STATUSES.join(', ')}`,
} as const;

const moment = momentField(DOSE_MESSAGES.takenAt);
const confirmed = z.array(z.enum(DOSE_WARNINGS)).max(DOSE_WARNINGS.length).default([]);
const site = z.enum(SITE_IDS, { error: DOSE_MESSAGES.site });
const vialId = idField(DOSE_MESSAGES.vial);

/**
 * Logging a dose as taken. `actualDose` is in the schedule's unit and the planned dose when absent; `takenAt` is now
 * when absent; `compoundId` names the vial that it is drawn from.
 */
export const takeDoseSchema = z.object({
  actualDose: z.optional(decimalText(DOSE_MESSAGES.amount)),
  takenAt: moment.optional(),
  site: site.optional(),
  compoundId: vialId.optional(),
  notes: z.optional(notesText),
  /** Warnings that the person has seen and said yes to. */
  confirmed,
});

export type TakeDoseInput = z.input<typeof takeDoseSchema>;
export type TakeDoseFields = z.output<typeof takeDoseSchema>;

/** Saying that a dose was missed or skipped. */
export const passDoseSchema = z.object({ notes: z.optional(notesText) });

export type PassDoseInput = z.input<typeof passDoseSchema>;

/** Logging a dose that no schedule has. */
export const logDoseSchema = takeDoseSchema.extend({
  name: z.pipe(nameText, z.string().min(1, { error: DOSE_MESSAGES.name })),
  actualDose: decimalText(DOSE_MESSAGES.amount),
  doseUnit: z.enum(SCHEDULE_DOSE_UNITS, { error: DOSE_MESSAGES.unit }).default('mg'),
  route: z.optional(nameText),
});

export type LogDoseInput = z.input<typeof logDoseSchema>;
export type LogDoseFields = z.output<typeof logDoseSchema>;

/** Logging doses of past days as taken at their own times. */
export const backfillSchema = z.object({
  ids: z
    .array(z.string().max(100))
    .min(1, { error: DOSE_MESSAGES.none })
    .max(MAX_BACKFILL, { error: `Log at most ${MAX_BACKFILL} doses at once.` }),
  confirmed,
});

export type BackfillInput = z.input<typeof backfillSchema>;

const day = dayField(DOSE_MESSAGES.day);

/** Which doses a list holds; days are those of the owner's zone, both included. */
export const listDosesSchema = z.object({
  status: z.enum(DOSE_STATUSES, { error: DOSE_MESSAGES.status }).optional(),
  startDate: day.optional(),
  endDate: day.optional(),
  /** Only pending ones whose time has come. */
  overdue: z.boolean().default(false),
});

export type ListDosesInput = z.input<typeof listDosesSchema>;
