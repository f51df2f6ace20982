import type { ExportFormat, ExportType } from '#app/domain/export/export-schema.ts';

interface TypeChoice {
  value: ExportType;
  label: string;
  premium: boolean;
}

/** The data types of an export by their JSON keys; the premium ones are off and locked for free users. */
export const TYPE_CHOICES: readonly TypeChoice[] = [
  { value: 'calculations', label: 'Dose calculations', premium: false },
  { value: 'compounds', label: 'Compounds', premium: false },
  { value: 'schedules', label: 'Schedules', premium: false },
  { value: 'nutrition', label: 'Nutrition', premium: true },
  { value: 'sideEffects', label: 'Side effects', premium: true },
  { value: 'injectionSites', label: 'Injection sites', premium: true },
];

export const FORMAT_CHOICES: readonly { value: ExportFormat; label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
  { value: 'pdf', label: 'PDF' },
];
