import * as z from 'zod';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';
import { plainText, Decimal } from '#app/domain/decimal/decimal.ts';
import { isCalendarDay, parseMoment } from '#app/domain/time/calendar.ts';
import { readTimeZone } from '#app/domain/time/zoned-time.ts';
import type { AmountUnit } from '#app/domain/units/quantity.ts';
import { plainMessage } from './plain-messages.ts';
import { readAmount, readNumber, withoutControls } from './text-fields.ts';

// Set here because every page, API call and command checks its input with this module.
z.config({ customError: plainMessage });

/**
 * More than any field accepts. Doors let no longer text through, so that no pattern sees one; only a pasted file may be as long
 * as a body.
 */
export const MAX_FIELD_LENGTH = 20_000;

/**
 * Messages by field, each once, in the order they were found. Entries of a list share the list's name, as their controls
 * do in a form. Messages about the whole input are under ''.
 */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const fields: FieldErrors = {};
  for (const issue of issues) {
    const name = issue.path.filter((part) => typeof part === 'string').join('.');
    const messages = (fields[name] ??= []);
    if (!messages.includes(issue.message)) messages.push(issue.message);
  }
  return fields;
}

/**
 * Checks an input against the operation's schema.
 * @throws AppError INVALID_INPUT with the messages by field; its own message is the first of them.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? 'The input is not valid.';
  throw new AppError('INVALID_INPUT', message, { fields: fieldErrors(parsed.error.issues) });
}

/** Fields of a noun: each with its rule and, for the API, its meaning. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** Values of fields as they are stored: null while nothing was entered. */
export type StoredValues<F extends Fields> = {
  [Name in keyof F]: Exclude<z.output<F[Name]>, undefined> | null;
};

/**
 * Returns a function that picks the values of some fields, each of which can be empty, out of an input or a stored document.
 * Missing ones are null, also those of a document that was stored before the field existed.
 */
export function picked<F extends Fields>(fields: F) {
  const names = Object.keys(fields);
  return (values: { readonly [Name in keyof F]?: z.output<F[Name]> | null | undefined }): StoredValues<F> =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null])) as StoredValues<F>;
}

/** Stored values as a form's controls hold them: empty for null. */
export const controlTexts = <T extends object>(values: T): { [Name in keyof T]: string } =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? '' : String(value)]),
  ) as { [Name in keyof T]: string };

const NO_REASON = 'Give a reason. It is kept in the audit trail.';

/** Why an administrator does something, on pages, in the API and at the terminal. Kept in the audit trail. */
export const reasonSchema = z
  .string({ error: NO_REASON })
  .trim()
  .min(1, { error: NO_REASON })
  .max(500, { error: 'Reason must be at most 500 characters' });

/** The first day that a diary entry can have; an earlier one is a typing mistake. */
const FIRST_DAY = '2000-01-01';

/** A time without a day means today. */
const isLateEnough = (text: string) => !/^\d{4}-/.test(text) || text >= FIRST_DAY;

/** Typed text or a JSON number. */
export const entered = (message: string) => z.union([z.string(), z.number()], { error: message });

/** The limits of a number, both included. */
interface DecimalLimits {
  most: number;
  /** 0 unless given. */
  least?: number;
  /** Most digits after the point; 6 unless given. */
  decimals?: number;
  /** Units that may be typed after the number; the result is in the first of them. */
  units?: readonly [AmountUnit, ...AmountUnit[]];
}

/** True for a number within the limits that does not have too many decimals. @param text decimal text */
export function isWithin(text: string, { most, least = 0, decimals = 6 }: DecimalLimits): boolean {
  const digits = plainText(text).split('.')[1]?.length ?? 0;
  return new Decimal(text).gte(least) && new Decimal(text).lte(most) && digits <= decimals;
}

/** A number as decimal text, from typed text or a JSON number; kept as entered. */
export const decimalField = (message: string, { most, least = 0, decimals = 6, units }: DecimalLimits) =>
  entered(message)
    .transform((value, context): string => {
      const read = units === undefined ? readNumber(value, message) : readAmount(value, units, message);
      const refuse = (problem: string) => {
        context.issues.push({ code: 'custom', message: problem, input: value });
        return z.NEVER;
      };
      if ('problem' in read) return refuse(read.problem);
      return isWithin(read.text, { most, least, decimals }) ? read.text : refuse(message);
    })
    .meta({ type: 'number', minimum: least, maximum: most });

/** A whole number from digits or a JSON number. */
export const wholeField = (message: string, least: number, most: number) =>
  decimalField(message, { least, most, decimals: 0 })
    .transform(Number)
    .meta({ type: 'integer', minimum: least, maximum: most });

/** Longer than any date and time with its offset. */
export const MAX_MOMENT_LENGTH = 40;

/** A date and time: ISO 8601, or wall-clock time in the user's time zone, which the operation turns into an instant. */
export const momentField = (message: string) =>
  z
    .string({ error: message })
    .max(MAX_MOMENT_LENGTH, { error: message, abort: true })
    .trim()
    .refine((text) => parseMoment(text) !== null && isLateEnough(text), { error: message });

/** A day as YYYY-MM-DD. */
export const dayField = (message: string) =>
  z
    .string({ error: message })
    .trim()
    .refine((text) => isCalendarDay(text) && text >= FIRST_DAY, { error: message })
    .meta({ format: 'date' });

/** Longer than any name of a time zone. */
export const MAX_ZONE_LENGTH = 64;

/** A time zone by its IANA name, old or new, or by its city; returned as an IANA name. */
export const zoneField = (message: string) =>
  z
    .string({ error: message })
    .max(MAX_ZONE_LENGTH, { error: message, abort: true })
    .transform((typed, context) => {
      const zone = readTimeZone(typed);
      if (zone !== null) return zone;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });

/** One line of text with runs of spaces reduced to one; empty is null. */
export const lineField = (message: string, most: number) =>
  z
    .string({ error: message })
    .transform((text) => withoutControls(text.replace(/\s+/g, ' ')).trim())
    .pipe(z.string().max(most, { error: message }))
    .transform((text) => text || null)
    .meta({ maxLength: most });

/** Text on one line that must not be empty. @param missing the message for none @param long that for more than `most` */
export const requiredLine = (missing: string, long: string, most: number) =>
  z
    .pipe(
      z.string({ error: missing }),
      lineField(long, most).transform((text, context): string => {
        if (text !== null) return text;
        context.addIssue({ code: 'custom', message: missing });
        return z.NEVER;
      }),
    )
    .meta({ minLength: 1, maxLength: most });

/** Text with several lines; a browser's CRLF becomes LF; empty is null. */
export const notesField = (message: string, most = 2000) =>
  z
    .string({ error: message })
    .transform((text) => withoutControls(text.replace(/\r\n?/g, '\n')).trim())
    .pipe(z.string().max(most, { error: message }))
    .transform((text) => text || null)
    .meta({ maxLength: most });

/** Longer than any id. */
export const MAX_ID_LENGTH = 100;

/** The id of another record. The operation checks that it exists and who owns it. */
export const idField = (message: string) =>
  z.string({ error: message }).trim().max(MAX_ID_LENGTH, { error: message });

/** The hidden field by which a page says that its question was answered with yes. */
export const yesField = z
  .string()
  .optional()
  .transform((text) => text === 'yes');

/** The form of a page that asks for confirmation: a button. */
export const confirmationSchema = z.object({});

/** Made by the client for one entry, so that sending it twice creates one entry. */
export const saveKeyField = z.string().max(100).optional().catch(undefined);
