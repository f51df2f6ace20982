import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { OFFLINE_FIELDS, type OfflineKind } from '#app/domain/offline/offline-schema.ts';
import { fieldErrors } from '#app/domain/forms/fields.ts';
import { doseSizeMessages } from '#app/domain/doses/dose-schema.ts';
import { withTypedUnit } from '#app/domain/units/quantity.ts';

/** How far ahead of this device's clock a time may be. */
const AHEAD_MS = 60_000;

function timeProblems(fields: Record<string, unknown>, now: number): FieldErrors {
  for (const name of ['takenAt', 'startedAt']) {
    const at = Date.parse(String(fields[name] ?? ''));
    if (at > now + AHEAD_MS) return { [name]: ['The time is in the future'] };
  }
  return {};
}

/** Messages about the size of a dose. Without a unit it is in the unit of its plan, which only the server knows. */
function doseProblems(fields: Record<string, unknown>): FieldErrors {
  const { actualDose, doseUnit: unit } = withTypedUnit(fields, 'actualDose', 'doseUnit');
  const doseUnit = DOSE_UNITS.find((known) => known === unit);
  if (typeof actualDose !== 'string' || doseUnit === undefined) return {};
  const messages = doseSizeMessages(actualDose, doseUnit);
  return messages.length > 0 ? { actualDose: messages } : {};
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
  if (!parsed.success) return fieldErrors(parsed.error.issues);
  const found = { ...doseProblems(parsed.data), ...timeProblems(fields, now) };
  return Object.keys(found).length > 0 ? found : null;
}
