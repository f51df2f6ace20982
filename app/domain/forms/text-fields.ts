import * as z from 'zod/mini';
import { decimalTextOfNumber, readDecimalText } from '#app/domain/decimal/decimal.ts';

export const MAX_NAME_LENGTH = 100;
export const MAX_NOTES_LENGTH = 2000;

/** Messages of the fields that hold no plain number; those are in the calculator's `FIELD_MESSAGES`. */
export const CHOICE_MESSAGES = {
  solveFor: 'Choose volume, water or dose to solve for',
  desiredDoseUnit: 'Dose unit must be mg or mcg',
  syringe: 'Choose one of the listed syringes',
  mark: 'Choose a mark distance that this syringe has',
  peptideName: `Peptide name can have at most ${MAX_NAME_LENGTH} characters`,
  notes: `Notes can have at most ${MAX_NOTES_LENGTH} characters`,
} as const;

/** A number as decimal text: from text as a person types it, or from a JSON number by its shortest text. */
export const decimalText = (message: string) =>
  z.pipe(
    z.union([z.string(), z.number()], message),
    z.transform((value: string | number, context): string => {
      const text = typeof value === 'number' ? decimalTextOfNumber(value) : readDecimalText(value);
      if (text !== null) return text;
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    }),
  );

/** Drops control characters, which no name, note or search needs; line ends and tabs stay. */
export const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '');

const cleanedText = (message: string, most: number, clean: (text: string) => string) =>
  z.pipe(
    z.pipe(
      z.string(message),
      z.transform((text: string) => withoutControls(clean(text)).trim()),
    ),
    z.string().check(z.maxLength(most, message)),
  );

/** A name of one line: runs of blanks and line ends become one blank. */
export const nameText = cleanedText(CHOICE_MESSAGES.peptideName, MAX_NAME_LENGTH, (text) =>
  text.replace(/\s+/g, ' '),
);

/** Notes of several lines; a browser's CRLF becomes LF. */
export const notesText = cleanedText(CHOICE_MESSAGES.notes, MAX_NOTES_LENGTH, (text) =>
  text.replace(/\r\n?/g, '\n'),
);
