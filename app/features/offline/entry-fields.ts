import { SEVERITY_WORDS } from '#app/domain/tracking/side-effects.ts';
import type { OfflineKind } from '#app/domain/offline/offline-schema.ts';
import { SITES } from '#app/domain/tracking/sites.ts';
import type { Option } from '#app/ui/fields.tsx';

/** A field of an entry's form. */
export interface EntryField {
  name: string;
  label: string;
  type: 'text' | 'decimal' | 'time' | 'select' | 'notes';
  /** Of a dose: the name of its unit's control; without one, the unit may be typed with the dose. */
  unit?: string;
  hint?: string;
  options?: readonly Option[];
  required?: boolean;
}

const UNITS: readonly Option[] = [
  { value: 'mcg', label: 'mcg' },
  { value: 'mg', label: 'mg' },
  { value: 'IU', label: 'IU' },
];
const SITE_OPTIONS: readonly Option[] = SITES.map(({ id, name }) => ({ value: id, label: name }));
const SEVERITIES: readonly Option[] = SEVERITY_WORDS.flatMap((word, severity) =>
  word === '' ? [] : [{ value: String(severity), label: `${severity} – ${word}` }],
);

const notes: EntryField = { name: 'notes', label: 'Notes', type: 'notes' };
const takenAt: EntryField = { name: 'takenAt', label: 'Time', type: 'time', required: true };
const UNIT_HINT = 'Include the unit, for example 250 mcg.';
const changedDose: EntryField = {
  name: 'actualDose',
  label: 'Dose taken, if different',
  type: 'decimal',
  hint: UNIT_HINT,
};

/** The form fields of each kind of entry. */
export const ENTRY_FIELDS: Readonly<Record<OfflineKind, readonly EntryField[]>> = {
  calculation: [
    { name: 'peptideAmount', label: 'Peptide amount', type: 'decimal', required: true },
    { name: 'waterVolume', label: 'Water volume (ml)', type: 'decimal' },
    { name: 'desiredDose', label: 'Desired dose', type: 'decimal', hint: UNIT_HINT },
    { name: 'peptideName', label: 'Peptide name', type: 'text' },
    notes,
  ],
  'dose-taken': [takenAt, changedDose, notes],
  'dose-as-needed': [takenAt, changedDose, notes],
  'dose-skipped': [notes],
  'dose-logged': [
    { name: 'name', label: 'Compound', type: 'text', required: true },
    { name: 'actualDose', label: 'Dose taken', type: 'decimal', unit: 'doseUnit', required: true },
    { name: 'doseUnit', label: 'Dose unit', type: 'select', options: UNITS, required: true },
    { name: 'doseOf', label: 'For a blend: the peptide that the dose is of', type: 'text' },
    takenAt,
    notes,
  ],
  site: [
    { name: 'site', label: 'Site', type: 'select', options: SITE_OPTIONS, required: true },
    takenAt,
    { name: 'name', label: 'Compound', type: 'text' },
    { name: 'pain', label: 'Pain, 0 to 10', type: 'decimal' },
    notes,
  ],
  'side-effect': [
    { name: 'name', label: 'Name', type: 'text', required: true },
    { name: 'severity', label: 'Severity', type: 'select', options: SEVERITIES, required: true },
    { name: 'startedAt', label: 'Since', type: 'time', required: true },
    notes,
  ],
};

/** A time as a `datetime-local` value, in this device's time zone. */
function localTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The value that a field shows for an entry. */
export function shownValue({ type }: EntryField, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const at = type === 'time' ? new Date(value) : null;
  return at !== null && !Number.isNaN(at.getTime()) ? localTime(at) : String(value);
}

/** The filled-in fields by name. Times are read in this device's time zone; empty fields are left out. */
export function readFields(kind: OfflineKind, form: FormData): Record<string, unknown> {
  const filled = ENTRY_FIELDS[kind].flatMap(({ name, type }) => {
    const text = String(form.get(name) ?? '').trim();
    if (text === '') return [];
    const at = type === 'time' ? new Date(text) : null;
    return [[name, at !== null && !Number.isNaN(at.getTime()) ? at.toISOString() : text] as const];
  });
  return Object.fromEntries(filled);
}

const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** An instant in this device's time zone: "22 Nov 2026, 08:04". */
export function shownMoment(at: string | number): string {
  return new Intl.DateTimeFormat('en-GB', FORMAT).format(new Date(at));
}
