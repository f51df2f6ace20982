import * as z from 'zod';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { EXPORT_TYPES, TYPE_NAMES, type ExportType } from '#app/domain/records/type-names.ts';

export const EXPORT_FORMATS = ['csv', 'json', 'pdf'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const PREMIUM_EXPORT_TYPES: readonly ExportType[] = EXPORT_TYPES.filter(
  (type) => TYPE_NAMES[type].premium.export,
);

/** Whether an export of these types belongs to Premium. */
export const needsPremium = (types: readonly ExportType[]): boolean =>
  types.some((type) => PREMIUM_EXPORT_TYPES.includes(type));

export const DEFAULT_EXPORT_TYPES: readonly ExportType[] = ['calculations', 'compounds', 'schedules'];

/** Days before today at which the form's default range starts. */
export const DEFAULT_EXPORT_DAYS = 30;

/**
 * Most records of a PDF: about 500 pages, which take a server several seconds to lay out. Larger exports are for programs;
 * CSV and JSON have no limit.
 */
export const MAX_PDF_RECORDS = 20_000;

/** The message for a PDF of more than {@link MAX_PDF_RECORDS}. */
export function tooManyForPdf(records: number): string {
  const figure = (count: number) => count.toLocaleString('en');
  return `A PDF holds at most ${figure(MAX_PDF_RECORDS)} records; this selection has ${figure(records)}. Choose CSV or a shorter period.`;
}

export const EXPORT_MESSAGES = {
  format: 'Choose CSV, JSON or PDF.',
  noType: 'Select at least one data type.',
  unknownType: 'Choose data types from the list.',
  day: 'Enter a date as YYYY-MM-DD.',
  order: 'The end date must not be before the start date.',
  noData: 'No data found for the selected criteria and date range.',
  premium: 'Doses, nutrition, side effects and injection sites are part of Premium.',
} as const;

const day = z.string().trim().refine(isCalendarDay, { error: EXPORT_MESSAGES.day });

/** An absent, empty or blank date leaves that side open. */
const optionalDay = z.preprocess(
  (value) => (value === null || value === '' ? undefined : value),
  day.optional(),
);

const types = z
  .array(z.enum(EXPORT_TYPES, { error: EXPORT_MESSAGES.unknownType }), { error: EXPORT_MESSAGES.noType })
  .min(1, { error: EXPORT_MESSAGES.noType })
  .transform((chosen) => EXPORT_TYPES.filter((type) => chosen.includes(type)));

/** One export. Dates are calendar days in the user's zone, both included; without them everything is exported. */
export const exportSchema = z
  .object({
    format: z.enum(EXPORT_FORMATS, { error: EXPORT_MESSAGES.format }),
    types,
    startDate: optionalDay,
    endDate: optionalDay,
    includeMetadata: z.boolean().default(true),
  })
  .superRefine((value, context) => {
    if (value.startDate && value.endDate && value.endDate < value.startDate) {
      context.addIssue({ code: 'custom', path: ['endDate'], message: EXPORT_MESSAGES.order });
    }
  });

/** The page's form, where an absent checkbox means off. */
export const exportFormSchema = exportSchema.safeExtend({ includeMetadata: z.boolean().default(false) });

export type ExportInput = z.input<typeof exportSchema>;
export type ExportRequest = z.output<typeof exportSchema>;
