import { fieldErrors } from '#app/domain/forms/parse-input.ts';
import type * as z from 'zod';
import type { ImportCells } from './record-type.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

export const NOT_AN_INSTANT = 'This is not a date and time';

/** An instant as exports write it (ISO 8601 with its zone); null for anything else. */
export function readInstant(text: string | undefined): Date | null {
  if (text === undefined || !INSTANT.test(text)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** True for an id as Vialbook makes them: the prefix, an underscore, and letters and digits. */
export function isIdOf(prefix: string, text: string | undefined): text is string {
  return text !== undefined && text.startsWith(`${prefix}_`) && /^[a-z]+_[0-9A-Za-z]{8,64}$/.test(text);
}

/**
 * What every row of an export says of itself.
 * @param what names the record in the message, as "a vial"
 * @returns or what is wrong
 */
export function readIdentity(
  cells: ImportCells,
  prefix: string,
  what: string,
): { id: string; createdAt: Date } | string {
  const { id } = cells;
  const createdAt = readInstant(cells['createdAt']);
  if (!isIdOf(prefix, id)) return `id: This is not the id of ${what}`;
  return createdAt === null ? `createdAt: ${NOT_AN_INSTANT}` : { id, createdAt };
}

/** What is wrong with a row, in one sentence: each field with its first message. */
export function reasonOf(issues: readonly z.core.$ZodIssue[]): string {
  return Object.entries(fieldErrors(issues))
    .map(([field, [message = '']]) => (field === '' ? message : `${field}: ${message}`))
    .join('; ');
}

export const orNull = <T>(value: T | null | undefined): T | null => value ?? null;

/** The person who exported may live in another zone: their days can be up to a day away on either side. */
export const ZONES_APART_DAYS = 2;
