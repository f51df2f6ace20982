import type { FieldErrors } from '#app/domain/errors.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { OFFLINE_FIELDS, type OfflineKind } from '#app/domain/offline/offline-schema.ts';
import { fieldErrors } from '#app/domain/forms/fields.ts';

/** How far ahead of this device's clock a time may lie: what has happened lies in the past. */
const AHEAD_MS = 60_000;

function timeProblem(fields: Record<string, unknown>, now: number): FieldErrors | null {
  for (const name of ['takenAt', 'startedAt']) {
    const at = Date.parse(String(fields[name] ?? ''));
    if (at > now + AHEAD_MS) return { [name]: ['The time is in the future'] };
  }
  return null;
}

/** The server's own rules, before an entry is written down. @returns messages by field; null when it is valid */
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
