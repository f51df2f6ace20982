import { DOSE_UNITS, type DoseUnit } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { SITE_IDS, type SiteId } from './sites.ts';
import {
  decimalField,
  idField,
  isWithin,
  lineField,
  momentField,
  notesField,
  picked,
  saveKeyField,
  wholeField,
  type StoredValues,
} from '#app/domain/forms/fields.ts';
import { typedDose } from '#app/domain/forms/text-fields.ts';
import { VOLUME_UNITS } from '#app/domain/units/quantity.ts';

/** Messages of the injection-site forms. */
export const SITE_MESSAGES = {
  site: 'Choose one of the listed sites',
  takenAt: 'Enter a date and time',
  future: 'The time cannot be in the future',
  name: 'Compound can have at most 100 characters',
  compoundId: 'Choose one of your vials',
  dose: 'Dose must be a number from 0 to 100000',
  doseUnit: 'Dose unit must be mg or mcg',
  unitAlone: 'Send the dose together with its unit',
  volume: 'Volume must be a number from 0 to 100 ml',
  pain: 'Pain must be a whole number from 0 to 10',
  notes: 'Notes can have at most 2000 characters',
  noneOn: 'Select at least one site',
  notFound: 'This entry does not exist.',
} as const;

/** The id of a site, for every operation that takes one. */
export const siteField = z.enum(SITE_IDS, { error: SITE_MESSAGES.site });

/** In any unit. */
const MAX_SITE_DOSE = 100_000;

const doseWithin = z
  .string()
  .refine((typed) => isWithin(typed.split(' ')[0] ?? '', { most: MAX_SITE_DOSE }), {
    error: SITE_MESSAGES.dose,
  });

const fields = {
  site: siteField,
  takenAt: momentField(SITE_MESSAGES.takenAt),
  /** The name of what was injected. */
  name: lineField(SITE_MESSAGES.name, 100).nullish(),
  /** The vial it came from. */
  compoundId: idField(SITE_MESSAGES.compoundId).nullish(),
  /** Decimal text in `doseUnit`, as entered. */
  dose: z
    .pipe(typedDose(SITE_MESSAGES.dose), doseWithin)
    .meta({ type: 'number', minimum: 0, maximum: MAX_SITE_DOSE })
    .nullish(),
  doseUnit: z.enum(DOSE_UNITS, { error: SITE_MESSAGES.doseUnit }).optional(),
  /** Decimal text, ml. */
  volume: decimalField(SITE_MESSAGES.volume, { most: 100, units: VOLUME_UNITS }).nullish(),
  pain: wholeField(SITE_MESSAGES.pain, 0, 10).nullish(),
  notes: notesField(SITE_MESSAGES.notes).nullish(),
};

const { site: _site, takenAt: _takenAt, doseUnit: _doseUnit, ...details } = fields;

/** What may be noted about an injection; null while nothing was entered. */
export const siteDetails = details;

/** The details among some fields. */
export const siteDetailsOf = picked(siteDetails);

/** Logging an injection at a site. */
export const logSiteSchema = z.object({ ...fields, saveKey: saveKeyField });
export type LogSiteInput = z.input<typeof logSiteSchema>;

/** Changing an entry: only the given fields change, null clears a value. */
export const updateSiteSchema = z.object(fields).partial();
export type UpdateSiteInput = z.input<typeof updateSiteSchema>;

/** Which of the 16 sites a person uses. */
export const siteChoiceSchema = z.object({
  sites: z.array(siteField, { error: SITE_MESSAGES.noneOn }).min(1, { error: SITE_MESSAGES.noneOn }),
});
export type SiteChoiceInput = z.input<typeof siteChoiceSchema>;

/** An injection at a site. */
export interface SiteEntry extends StoredValues<typeof siteDetails> {
  /** `site_…` */
  id: string;
  site: SiteId;
  takenAt: Date;
  doseUnit: DoseUnit;
  /** The dose it belongs to; undoing the dose deletes the entry. */
  doseId: string | null;
}
