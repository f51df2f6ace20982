import * as z from 'zod/mini';
import { decimalTextOfNumber, readDecimalText } from '#app/domain/decimal/decimal.ts';
import {
  amountProblem,
  inFirstUnit,
  namesUnit,
  readQuantity,
  SUBSTANCE_AMOUNT_UNITS,
  type AmountUnit,
} from '#app/domain/units/quantity.ts';

/** Longest text that is shown again in a form control; longer ones were refused anyway. */
const MAX_SHOWN_LENGTH = 4000;

type Source = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>;

const isEntries = (source: Source): source is Iterable<readonly [string, unknown]> =>
  Symbol.iterator in source;

function fromEntries(
  source: Iterable<readonly [string, unknown]>,
  nameSet: ReadonlySet<string>,
): Map<string, unknown> {
  const found = new Map<string, unknown[]>();
  for (const [name, value] of source) {
    if (nameSet.has(name)) found.set(name, [...(found.get(name) ?? []), value].slice(0, 2));
  }
  return new Map([...found].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

function fromRecord(
  source: Readonly<Record<string, unknown>>,
  nameSet: ReadonlySet<string>,
): Map<string, unknown> {
  return new Map(
    [...nameSet].filter((name) => Object.hasOwn(source, name)).map((name) => [name, source[name]]),
  );
}

/**
 * The named fields of a form, a query string or a JSON object; all others are ignored. A field sent twice becomes an array,
 * which no single-valued field accepts. Blank text and null count as absent.
 */
export function readFields(source: Source, names: readonly string[]): Record<string, unknown> {
  const nameSet = new Set(names);
  const found = isEntries(source) ? fromEntries(source, nameSet) : fromRecord(source, nameSet);
  const present = [...found].filter(
    ([, value]) =>
      value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === ''),
  );
  return Object.fromEntries(present);
}

/** The submitted values as text for form controls: the first of repeated values, nothing for other types. */
export function shownValues<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const field = fields[name];
    const value: unknown = Array.isArray(field) ? field[0] : field;
    if (typeof value === 'string' || typeof value === 'number')
      values[name] = String(value).slice(0, MAX_SHOWN_LENGTH);
  }
  return values;
}

export const MAX_NAME_LENGTH = 100;
export const MAX_NOTES_LENGTH = 2000;

/** Messages of fields other than plain numbers, which are in the calculator's `FIELD_MESSAGES`. */
export const CHOICE_MESSAGES = {
  solveFor: 'Choose volume, water or dose to solve for',
  desiredDoseUnit: 'Dose unit must be mg, mcg or IU',
  amountUnit: 'The unit of the amount must be mg or IU',
  form: 'Choose powder, solution, pen, spray or capsule',
  syringe: 'Choose one of the listed syringes',
  ownSyringe: 'This syringe is not in your profile. Choose another one',
  mark: 'Choose a mark spacing that this syringe has',
  peptideName: `Peptide name can have at most ${MAX_NAME_LENGTH} characters`,
  notes: `Notes can have at most ${MAX_NOTES_LENGTH} characters`,
} as const;

/** A number as decimal text, from typed text or from a JSON number by its shortest text. */
export const decimalText = (message: string) =>
  z.pipe(
    z.union([z.string(), z.number()], message),
    z.transform((value: string | number, context): string => {
      const read = readNumber(value, message);
      if ('text' in read) return read.text;
      context.issues.push({ code: 'custom', message: read.problem, input: value });
      return z.NEVER;
    }),
  );

/** A number that is not an amount, such as a price, as decimal text; or the message of its field. */
export function readNumber(value: string | number, message: string): { text: string } | { problem: string } {
  const text = typeof value === 'number' ? decimalTextOfNumber(value) : readDecimalText(value);
  return text === null ? { problem: message } : { text };
}

/**
 * Reads an amount from typed text, with or without its unit ("5", "5 mg", "0,25"), or from a JSON number.
 * @param units the units that the field accepts; the amount is returned in the first of them, as decimal text
 * @returns the text, or a message that names the problem, `message` by default
 */
export function readAmount(
  value: string | number,
  units: readonly [AmountUnit, ...AmountUnit[]],
  message: string,
): { text: string } | { problem: string } {
  if (typeof value === 'number') return readNumber(value, message);
  const quantity = readQuantity(value, units);
  if (quantity !== null) return { text: inFirstUnit(quantity, units[0]) };
  return { problem: value.trim() === '' ? message : amountProblem(value, units) };
}

/** An amount as decimal text in the first of `units`. */
export const amountText = (message: string, units: readonly [AmountUnit, ...AmountUnit[]]) =>
  z.pipe(
    z.union([z.string(), z.number()], message),
    z.transform((value: string | number, context): string => {
      const read = readAmount(value, units, message);
      if ('text' in read) return read.text;
      context.issues.push({ code: 'custom', message: read.problem, input: value });
      return z.NEVER;
    }),
  );

/**
 * A dose whose unit is in another field: decimal text, followed by the unit if one was typed ("250 mcg").
 * `withTypedUnit` or `doseInUnit` combines the two.
 * @param units that may be typed with it
 */
export const typedDose = (
  message: string,
  units: readonly [AmountUnit, ...AmountUnit[]] = SUBSTANCE_AMOUNT_UNITS,
) =>
  z.pipe(
    z.union([z.string(), z.number()], message),
    z.transform((value: string | number, context): string => {
      const quantity = typeof value === 'string' && namesUnit(value) ? readQuantity(value, units) : null;
      if (quantity !== null) return `${quantity.text} ${quantity.unit}`;
      const read = readAmount(value, units, message);
      if ('text' in read) return read.text;
      context.issues.push({ code: 'custom', message: read.problem, input: value });
      return z.NEVER;
    }),
  );

/** Removes control characters, which no name, note or search needs, but keeps line breaks and tabs. */
export const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '');

/**
 * Accepts only web addresses, so that a link cannot run a script, and none with a user or password, because text before an
 * @ can make a URL look like that of another site.
 */
export function isWebAddress(text: string): boolean {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

const cleanedText = (message: string, most: number, clean: (text: string) => string) =>
  z.pipe(
    z.pipe(
      z.string(message),
      z.transform((text: string) => withoutControls(clean(text)).trim()),
    ),
    z.string().check(z.maxLength(most, message)),
  );

/** A one-line name: runs of spaces and line breaks become one space. */
export const nameText = cleanedText(CHOICE_MESSAGES.peptideName, MAX_NAME_LENGTH, (text) =>
  text.replace(/\s+/g, ' '),
);

/** Notes with several lines; a browser's CRLF becomes LF. */
export const notesText = cleanedText(CHOICE_MESSAGES.notes, MAX_NOTES_LENGTH, (text) =>
  text.replace(/\r\n?/g, '\n'),
);
