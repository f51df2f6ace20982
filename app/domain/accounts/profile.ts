import { type SyringeId, SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { decimalField, zoneField } from '#app/domain/forms/fields.ts';
import { VOLUME_UNITS } from '#app/domain/units/quantity.ts';

const MAX_PERSON_NAME_LENGTH = 100;

/** The unit in which doses are entered unless the form says otherwise. */
export const PREFERRED_DOSE_UNITS = ['mg', 'mcg'] as const;
export type PreferredDoseUnit = (typeof PREFERRED_DOSE_UNITS)[number];

/** Units of body measurements: kilograms and centimetres, or pounds and inches. */
export const MEASUREMENT_UNITS = ['metric', 'imperial'] as const;
type MeasurementUnits = (typeof MEASUREMENT_UNITS)[number];

/** The settings of a user's profile. */
export interface Profile {
  /** null when none was given. */
  name: string | null;
  /** IANA name. */
  timeZone: string;
  doseUnit: PreferredDoseUnit;
  units: MeasurementUnits;
  /** The syringe they draw with; units are counted on its scale. */
  syringe: SyringeId;
  /** ml left in the syringe and needle after each injection, as decimal text; "0" for none. Stock forecasts count it. */
  deadSpaceMl: string;
}

/** More than any syringe and needle hold back, so a larger number must be some other volume. */
const MAX_DEAD_SPACE_ML = 0.5;

/** Messages of the profile's forms. */
const PROFILE_MESSAGES = {
  name: `Name can have at most ${MAX_PERSON_NAME_LENGTH} characters`,
  timeZone: 'Choose a time zone from the list',
  doseUnit: 'Choose mg or mcg',
  units: 'Choose metric or imperial',
  syringe: 'Choose one of the listed syringes',
  deadSpaceMl: `Dead space must be between 0 and ${MAX_DEAD_SPACE_ML} ml`,
} as const;

/** A single-line name: runs of whitespace and control characters become one space. */
const personName = z
  .string({ error: PROFILE_MESSAGES.name })
  .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .pipe(z.string().max(MAX_PERSON_NAME_LENGTH, { error: PROFILE_MESSAGES.name }));

/** The profile's details. An empty name removes it; a missing syringe or dead space stays unchanged. */
export const profileSchema = z.object({
  name: personName.optional(),
  timeZone: zoneField(PROFILE_MESSAGES.timeZone),
  doseUnit: z.enum(PREFERRED_DOSE_UNITS, { error: PROFILE_MESSAGES.doseUnit }),
  units: z.enum(MEASUREMENT_UNITS, { error: PROFILE_MESSAGES.units }),
  syringe: z
    .enum(SYRINGE_IDS, { error: PROFILE_MESSAGES.syringe })
    .optional()
    .describe('The syringe you draw doses with; units are counted on its scale'),
  deadSpaceMl: decimalField(PROFILE_MESSAGES.deadSpaceMl, { most: MAX_DEAD_SPACE_ML, units: VOLUME_UNITS })
    .transform(plainText)
    .optional()
    .describe('ml left in the syringe and needle after each injection, 0 for none; stock forecasts count it'),
});

export type ProfileInput = z.input<typeof profileSchema>;

/** Changes to some of the details; the others stay. An empty name removes it. */
export const profileChangesSchema = profileSchema.partial();

export type ProfileChangesInput = z.input<typeof profileChangesSchema>;
