import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { DOSE_STATUSES } from './dose.ts';
import { DOSE_WARNINGS } from './dose-warnings.ts';
import { isDoseAmount, MAX_DOSE, mcgQuestions } from '#app/domain/units/quantity.ts';
import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import {
  MAX_NAME_LENGTH,
  MAX_NOTES_LENGTH,
  nameText,
  notesText,
  typedDose,
} from '#app/domain/forms/text-fields.ts';
import { dayField, idField, momentField, saveKeyField } from '#app/domain/forms/fields.ts';

/** Maximum number of doses in one backfill, and on one page of a list. */
export const MAX_BACKFILL = 200;
export const MAX_LISTED_DOSES = 100;

/** Maximum number of doses that one act takes or undoes. */
export const MAX_TOGETHER = 50;

/** Messages of the dose forms. The product's owner worded the toasts: `taken`, `missed`, `skipped` and `failed`. */
export const DOSE_MESSAGES = {
  taken: 'Dose marked as taken',
  missed: 'Dose marked as missed',
  skipped: 'Dose marked as skipped',
  failed: 'Failed to update dose',
  undone: 'Undone. The dose is back to how it was.',
  removed: 'Undone. The dose was removed and its amount returned to stock.',
  siteOfTaken: 'Log the dose first, then its site.',
  alreadyTaken: 'This dose is already logged as taken. Undo it first to change it.',
  nothingToUndo: 'There is nothing to undo.',
  notFound: 'Dose not found.',
  notAsNeeded: 'This schedule has planned doses. Log the one that is due.',
  noAsNeeded: 'There is no as-needed schedule with that name.',
  amount: 'Dose must be above 0 and at most 100 mg',
  amountInIu: 'Dose must be above 0 and at most 100,000 IU',
  takenAt: 'Enter a date and a time',
  future: 'The time is in the future',
  site: 'Choose one of the listed sites',
  vial: 'Choose one of your vials',
  name: 'Enter a name',
  unit: 'Dose unit must be mg, mcg or IU',
  none: 'Tick at least one dose.',
  takenTogether: 'Doses marked as taken',
  undoneTogether: 'Undone. The doses are back to how they were.',
  tooMany: `At most ${MAX_TOGETHER} doses at once.`,
  nothingDue: 'Nothing is due.',
  day: 'Enter a day as YYYY-MM-DD',
  status: `Status must be one of ${DOSE_STATUSES.join(', ')}`,
} as const;

/** How an as-needed schedule that is named at the terminal is looked for. */
export const NAMED_PLAN = {
  field: 'asNeeded',
  records: 'schedules',
  missing: DOSE_MESSAGES.noAsNeeded,
} as const;

/**
 * Messages about a dose that is too small or too large, with the question whether mcg were meant; empty if it is neither.
 * @param amount decimal text in `unit`
 */
export function doseSizeMessages(amount: string, unit: DoseUnit): string[] {
  if (isDoseAmount(amount, unit)) return [];
  return unit === 'IU' ? [DOSE_MESSAGES.amountInIu] : [DOSE_MESSAGES.amount, ...mcgQuestions(amount, unit)];
}

const TAKEN_AT = 'By default now';
const NOTES = 'Free text';

/** In any unit: the most of mg is less. */
const AMOUNT = { type: 'number', exclusiveMinimum: 0, maximum: MAX_DOSE.IU } as const;
const notes = z.optional(notesText).meta({ maxLength: MAX_NOTES_LENGTH });
const line = z.optional(nameText).meta({ maxLength: MAX_NAME_LENGTH });

const moment = momentField(DOSE_MESSAGES.takenAt);
const confirmed = z.array(z.enum(DOSE_WARNINGS)).max(DOSE_WARNINGS.length).default([]);
const site = z.enum(SITE_IDS, { error: DOSE_MESSAGES.site });
const vialId = idField(DOSE_MESSAGES.vial);

/**
 * Logging a dose as taken. `actualDose` is in the schedule's unit unless another unit is typed with it, and defaults to
 * the planned dose; `takenAt` defaults to now; `compoundId` is the vial to draw from.
 */
export const takeDoseSchema = z.object({
  actualDose: z
    .optional(typedDose(DOSE_MESSAGES.amount))
    .meta(AMOUNT)
    .describe('In the unit of the plan, or with its own: "250 mcg"; by default as planned'),
  takenAt: moment.optional().describe(TAKEN_AT),
  site: site.optional().describe('Where it was injected'),
  compoundId: vialId.optional().describe('The vial to draw from'),
  notes: notes.describe(NOTES),
  /** Warnings the person has accepted. */
  confirmed,
  /** The amount that a page asked the person to confirm; see `amountKey`. */
  confirmedAmount: z.string().max(200).optional(),
});

export type TakeDoseInput = z.input<typeof takeDoseSchema>;
export type TakeDoseFields = z.output<typeof takeDoseSchema>;

const togetherIds = z
  .array(z.string().max(100))
  .min(1, { error: DOSE_MESSAGES.none })
  .max(MAX_TOGETHER, { error: DOSE_MESSAGES.tooMany });

/** Logging several doses as taken, each as planned and all at the same time, by default now. */
export const takeDosesSchema = z.object({
  ids: togetherIds.describe('Of doses that are due'),
  takenAt: moment.optional().describe(TAKEN_AT),
  /** Warnings accepted for all of them. */
  confirmed,
  /** The questions about single doses that the person has answered with yes; see `questionKey`. */
  answers: z.array(z.string().max(500)).max(MAX_TOGETHER).default([]),
});

export type TakeDosesInput = z.input<typeof takeDosesSchema>;

/** Undoing what was logged together. */
export const undoDosesSchema = z.object({ ids: togetherIds });

export type UndoDosesInput = z.input<typeof undoDosesSchema>;

/** The buttons for the doses of a time slot. An empty time means now. */
export const togetherFormSchema = z.discriminatedUnion('intent', [
  takeDosesSchema.extend({ intent: z.literal('taken').optional() }),
  undoDosesSchema.extend({ intent: z.literal('undo') }),
]);

/** Marking a dose as missed or skipped. */
export const passDoseSchema = z.object({ notes: notes.describe(NOTES) });

export type PassDoseInput = z.input<typeof passDoseSchema>;

/** Logging a dose without a schedule. */
export const logDoseSchema = takeDoseSchema.extend({
  name: z
    .pipe(nameText, z.string().min(1, { error: DOSE_MESSAGES.name }))
    .meta({ minLength: 1, maxLength: MAX_NAME_LENGTH })
    .describe('Compound, as on its vial'),
  actualDose: z
    .pipe(typedDose(DOSE_MESSAGES.amount), z.string())
    .meta(AMOUNT)
    .describe('In doseUnit, or with its own unit'),
  doseUnit: z.enum(DOSE_UNITS, { error: DOSE_MESSAGES.unit }).default('mg').describe('Of actualDose'),
  /** Defaults to the component with the dose's name, otherwise the first. */
  doseOf: line.describe('For a blend, the component that the dose counts'),
  route: line.describe('Such as subcutaneous'),
});

export type LogDoseInput = z.input<typeof logDoseSchema>;
export type LogDoseFields = z.output<typeof logDoseSchema>;

/** Where a button of a dose was pressed: those on Today and the calculator lead back there. */
const from = z.enum(['today', 'calculator']).optional().catch(undefined);

/** The buttons of one planned dose. */
export const doseFormSchema = z.discriminatedUnion('intent', [
  takeDoseSchema.extend({ intent: z.literal('taken').optional(), from }),
  passDoseSchema.extend({ intent: z.enum(['skipped', 'missed']), from }),
  z.object({ intent: z.literal('undo'), from }),
  z.object({ intent: z.literal('site'), site, from }),
]);

/** The form of an as-needed dose. */
export const takeFormSchema = takeDoseSchema.extend({ from, idempotencyKey: saveKeyField });

/** `preview` only shows what to draw. */
export const drawIntent = z.enum(['log', 'preview']).optional();

/** The form of a dose without a schedule. */
export const logFormSchema = logDoseSchema.extend({ intent: drawIntent, idempotencyKey: saveKeyField });

/** Logging past doses as taken when they were due. */
export const backfillSchema = z.object({
  ids: z
    .array(z.string().max(100))
    .min(1, { error: DOSE_MESSAGES.none })
    .max(MAX_BACKFILL, { error: `Log at most ${MAX_BACKFILL} doses at once.` }),
  confirmed,
});

export type BackfillInput = z.input<typeof backfillSchema>;

const day = dayField(DOSE_MESSAGES.day);

/** Filters of a list of doses. Days are in the owner's time zone, both ends included. */
export const listDosesSchema = z.object({
  status: z.enum(DOSE_STATUSES, { error: DOSE_MESSAGES.status }).optional(),
  startDate: day.optional(),
  endDate: day.optional(),
  /** Only pending doses that are already due. */
  overdue: z.boolean().default(false),
  page: z.int().min(1).default(1),
  limit: z.int().min(1).max(MAX_LISTED_DOSES).default(MAX_LISTED_DOSES),
  /** Where to go on, from the last page's `next`; then `page` is ignored. */
  cursor: z.string().optional(),
  /** Only doses made or changed then or later. */
  updatedSince: z.date().optional(),
});

export type ListDosesInput = z.input<typeof listDosesSchema>;

/** Maximum length of an adherence report: a year. */
export const MAX_PERIOD_DAYS = 366;

export const ADHERENCE_MESSAGES = {
  order: 'The last day must not be before the first',
  tooLong: 'Choose a period of at most one year',
} as const;

/** The period of an adherence report: days in the owner's time zone, both ends included. */
export const adherenceSchema = z.object({ startDate: day.optional(), endDate: day.optional() });

export type AdherenceInput = z.input<typeof adherenceSchema>;
