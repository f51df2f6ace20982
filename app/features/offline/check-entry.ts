import type { FieldErrors } from '#app/domain/errors.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { OFFLINE_FIELDS, type OfflineKind } from '#app/domain/offline/offline-schema.ts';
import { fieldErrors } from '#app/domain/forms/fields.ts';

/** How far ahead of this device's clock a time may be. */
const AHEAD_MS = 60_000;

function timeProblem(fields: Record<string, unknown>, now: number): FieldErrors | null {
  for (const name of ['takenAt', 'startedAt']) {
    const at = Date.parse(String(fields[name] ?? ''));
    if (at > now + AHEAD_MS) return { [name]: ['The time is in the future'] };
  }
  return null;
}

/** Applies the server's own rules before an entry is saved. @returns messages by field; null if it is valid */
export function checkEntry(
  kind: OfflineKind,
  fields: Record<string, unknown>,
  now: number,
): FieldErrors | null {
  if (kind === 'calculation') {
    const parsed = parseCalculationForm(fields);
    return parsed.ok ? null : parsed.fields;
  }
  const parsed = OFFLINE_FIELDS[kind].safeParse(fields);
  return parsed.success ? timeProblem(fields, now) : fieldErrors(parsed.error.issues);
}
