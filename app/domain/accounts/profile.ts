import { type SyringeId, SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { decimalField, zoneField } from '#app/domain/forms/fields.ts';
import { VOLUME_UNITS } from '#app/domain/units/quantity.ts';

/** Longest name of a person that is kept. */
const MAX_PERSON_NAME_LENGTH = 100;

/** The unit in which doses are entered unless the form says otherwise. */
export const PREFERRED_DOSE_UNITS = ['mg', 'mcg'] as const;
export type PreferredDoseUnit = (typeof PREFERRED_DOSE_UNITS)[number];

/** Units of body measurements: kilograms and centimetres, or pounds and inches. */
export const MEASUREMENT_UNITS = ['metric', 'imperial'] as const;
type MeasurementUnits = (typeof MEASUREMENT_UNITS)[number];

/** What people set about themselves. */
export interface Profile {
  /** null when none was given. */
  name: string | null;
  /** IANA name. */
  timeZone: string;
  doseUnit: PreferredDoseUnit;
  units: MeasurementUnits;
  /** What they draw with: units of a dose are counted on its scale. */
  syringe: SyringeId;
  /** ml that stay in the syringe and needle after each injection, decimal text; "0" for none. The forecast counts them. */
  deadSpaceMl: string;
}

/** More than any syringe with a needle keeps back: a larger number is a volume of something else. */
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

/** A name of one line: runs of blanks, line ends and control characters become one blank. */
const personName = z
  .string({ error: PROFILE_MESSAGES.name })
  .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .pipe(z.string().max(MAX_PERSON_NAME_LENGTH, { error: PROFILE_MESSAGES.name }));

/** The profile's details. An empty name removes the name; without a syringe or its dead space these stay. */
export const profileSchema = z.object({
  name: personName.optional(),
  timeZone: zoneField(PROFILE_MESSAGES.timeZone),
  doseUnit: z.enum(PREFERRED_DOSE_UNITS, { error: PROFILE_MESSAGES.doseUnit }),
  units: z.enum(MEASUREMENT_UNITS, { error: PROFILE_MESSAGES.units }),
  syringe: z
    .enum(SYRINGE_IDS, { error: PROFILE_MESSAGES.syringe })
    .optional()
    .describe('What doses are drawn with: their units are counted on its scale'),
  deadSpaceMl: decimalField(PROFILE_MESSAGES.deadSpaceMl, { most: MAX_DEAD_SPACE_ML, units: VOLUME_UNITS })
    .transform(plainText)
    .optional()
    .describe(
      'ml that stay in syringe and needle after each injection, 0 for none: the forecast of stock counts them',
    ),
});

export type ProfileInput = z.input<typeof profileSchema>;

/** Changing some of the details; the others stay. An empty name removes the name. */
export const profileChangesSchema = profileSchema.partial();

export type ProfileChangesInput = z.input<typeof profileChangesSchema>;
