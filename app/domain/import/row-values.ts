import { fieldErrors } from '#app/domain/forms/parse-input.ts';
import type * as z from 'zod';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** An instant as exports write it (ISO 8601 with its zone); null for anything else. */
export function readInstant(text: string | undefined): Date | null {
  if (text === undefined || !INSTANT.test(text)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** True for an id as this product makes them: the prefix, and letters and digits. */
export function isIdOf(prefix: string, text: string | undefined): text is string {
  return text !== undefined && text.startsWith(prefix) && /^[a-z]+_[0-9A-Za-z]{8,64}$/.test(text);
}

/** What is wrong with a row, in one sentence: each field with its first message. */
export function reasonOf(issues: readonly z.core.$ZodIssue[]): string {
  return Object.entries(fieldErrors(issues))
    .map(([field, [message = '']]) => (field === '' ? message : `${field}: ${message}`))
    .join('; ');
}
