import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { decimalTextOfNumber, plainText, readDecimalText } from '#app/domain/decimal/decimal-text.ts';
import { isCalendarDay } from '#app/domain/time/calendar-day.ts';
import { withoutControls } from '#app/domain/forms/text-fields.ts';

export const MAX_VIAL_MG = 100_000;
export const MAX_VIAL_ML = 1000;
const MAX_NAME = 100;
const MAX_LINE = 100;
const MAX_NOTES = 2000;
const MAX_REASON = 200;
const MAX_COST = 1_000_000;

/** Messages of the vial's fields. */
export const VIAL_MESSAGES = {
  name: 'Name is required',
  nameLong: `Name can have at most ${MAX_NAME} characters`,
  totalAmount: `Amount must be above 0 and at most ${MAX_VIAL_MG} mg`,
  waterMl: `Water must be above 0 and at most ${MAX_VIAL_ML} ml`,
  concentration: `Concentration must be above 0 and at most ${MAX_VIAL_MG} mg/ml`,
  displacement: 'Powder displacement must be between 0 and 1000 µl per mg',
  day: 'Enter a date as YYYY-MM-DD',
  dayRange: 'Enter a date from 1950 to 2199',
  line: `At most ${MAX_LINE} characters`,
  notes: `Notes can have at most ${MAX_NOTES} characters`,
  reason: `At most ${MAX_REASON} characters`,
  cost: `Cost must be a number from 0 to ${MAX_COST}`,
  currency: 'Currency must be a code of three letters, such as USD',
  amountsDiffer: 'This is not the total amount',
  strengthDiffers: 'Concentration and water do not agree: leave one of them empty',
  noStrength: 'Enter the water added, or the concentration',
  order: 'The last day of use must not be before the reconstitution',
  remaining: 'Remaining amount must be between 0 and the total amount',
  lost: 'Enter how much was lost, above 0 and at most what is left',
  tooSmall: 'More than this was drawn from the vial already',
} as const;

type Bounds = { above?: number; from?: number; most: number };

/**
 * Decimal text between bounds, from what a person types or from a JSON number, without needless zeros.
 * @param bounds `above` is excluded, `from` and `most` are included
 */
export function amountField(message: string, { above, from, most }: Bounds) {
  return z.preprocess(
    (value) => (typeof value === 'number' ? (decimalTextOfNumber(value) ?? 'no number') : value),
    z.string({ error: message }).transform((raw, context): string => {
      const text = readDecimalText(raw);
      const value = text === null ? null : new Decimal(text);
      const fits =
        value !== null &&
        value.lte(most) &&
        (above === undefined || value.gt(above)) &&
        (from === undefined || value.gte(from));
      if (text !== null && fits) return plainText(text);
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }),
  );
}

const cleaned = (text: string) => withoutControls(text.replace(/\s+/g, ' ')).trim();

/** A text of one line. */
export const lineField = (message: string = VIAL_MESSAGES.line, most = MAX_LINE) =>
  z
    .string({ error: message })
    .transform(cleaned)
    .pipe(z.string().max(most, { error: message }));

/** The compound's name; blank is missing. */
export const nameField = z
  .string({ error: VIAL_MESSAGES.name })
  .transform(cleaned)
  .pipe(z.string().min(1, { error: VIAL_MESSAGES.name }).max(MAX_NAME, { error: VIAL_MESSAGES.nameLong }));

/** Notes of several lines; a browser's CRLF becomes LF. */
export const notesField = z
  .string({ error: VIAL_MESSAGES.notes })
  .transform((text) => withoutControls(text.replace(/\r\n?/g, '\n')).trim())
  .pipe(z.string().max(MAX_NOTES, { error: VIAL_MESSAGES.notes }));

/** A calendar day in a range in which every other day of ours can be counted from it. */
export const dayField = z
  .string({ error: VIAL_MESSAGES.day })
  .trim()
  .refine(isCalendarDay, { error: VIAL_MESSAGES.day, abort: true })
  .refine((day) => day >= '1950-01-01' && day <= '2199-12-31', { error: VIAL_MESSAGES.dayRange });

export const reasonField = lineField(VIAL_MESSAGES.reason, MAX_REASON);

export const costField = amountField(VIAL_MESSAGES.cost, { from: 0, most: MAX_COST });

export const currencyField = z
  .string({ error: VIAL_MESSAGES.currency })
  .trim()
  .regex(/^[A-Za-z]{3}$/, { error: VIAL_MESSAGES.currency })
  .transform((code) => code.toUpperCase());
