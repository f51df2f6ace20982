import * as z from 'zod';
import { beyondUseDayAfter } from '#app/domain/vials/beyond-use.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import type { VialChangesInput, VialFormValues } from '#app/domain/vials/vial-schema.ts';

/** The controls of the vial's form. */
const CONTROLS = [
  'name',
  'totalAmount',
  'waterMl',
  'concentration',
  'displacement',
  'reconstitutionDate',
  'expirationDate',
  'storageTemp',
  'lot',
  'cost',
  'currency',
  'notes',
] as const;

const withoutNull = (values: Readonly<Record<string, string | null>>): VialFormValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );

/** What the form of a vial begins with. */
export function valuesOf(vial: Vial): VialFormValues {
  const { displacement, ...rest } = vial;
  const values = { ...rest, displacement: displacement === '0' ? null : displacement };
  return withoutNull(Object.fromEntries(CONTROLS.map((name) => [name, values[name]])));
}

/** The beginning of a form as text that the form carries along. */
export const writeOriginal = (values: VialFormValues): string => JSON.stringify(values);

const originalSchema = z.record(z.string(), z.string());

function readOriginal(text: string | undefined): VialFormValues | null {
  try {
    return originalSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

/**
 * What was changed in a form since it was shown: what others changed meanwhile in other fields stays. Water and
 * concentration go together, so that two that do not agree are noticed. Without a readable beginning all fields count.
 */
export function changedFields(
  sent: Readonly<Record<string, unknown>>,
  originalText: string | undefined,
): VialChangesInput {
  const original = readOriginal(originalText);
  const isChanged = (name: string) => original === null || (sent[name] ?? '') !== (original[name] ?? '');
  const strength = ['waterMl', 'concentration'];
  const names = CONTROLS.filter(
    (name) => isChanged(name) || (strength.includes(name) && strength.some(isChanged)),
  );
  return Object.fromEntries(names.map((name) => [name, sent[name] ?? null])) as VialChangesInput;
}

/** What the form for reconstituting begins with: today, and the maker's date when that comes before the 28 days. */
export function reconstituteValues(vial: Vial, day: string): VialFormValues {
  const { waterMl, concentration, expirationDate } = vial;
  const isEarlier = expirationDate !== null && beyondUseDayAfter(day, expirationDate) === expirationDate;
  const values = { waterMl, concentration, expirationDate: isEarlier ? expirationDate : null };
  return { reconstitutionDate: day, ...withoutNull(values) };
}
