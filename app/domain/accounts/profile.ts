import { type OwnSyringe, SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import {
  MAX_OWN_SYRINGES,
  OWN_SYRINGE_MESSAGES,
  ownSyringeId,
  ownSyringeSchema,
} from '#app/domain/calculator/own-syringe.ts';
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
  /** The id of the syringe they draw with; units are counted on its scale. */
  syringe: string;
  /** Their own, besides the built-in ones. */
  syringes: OwnSyringe[];
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
  .pipe(z.string().max(MAX_PERSON_NAME_LENGTH, { error: PROFILE_MESSAGES.name }))
  .meta({ maxLength: MAX_PERSON_NAME_LENGTH });

/** All settings of a profile. An empty name removes it. */
export const profileSchema = z.object({
  name: personName.optional(),
  timeZone: zoneField(PROFILE_MESSAGES.timeZone),
  doseUnit: z.enum(PREFERRED_DOSE_UNITS, { error: PROFILE_MESSAGES.doseUnit }),
  units: z.enum(MEASUREMENT_UNITS, { error: PROFILE_MESSAGES.units }),
  syringe: z
    .union([z.enum(SYRINGE_IDS), ownSyringeId], { error: PROFILE_MESSAGES.syringe })
    .optional()
    .describe('The syringe you draw doses with; units are counted on its scale'),
  syringes: z
    .array(ownSyringeSchema.safeExtend({ id: ownSyringeId.optional() }))
    .max(MAX_OWN_SYRINGES, { error: OWN_SYRINGE_MESSAGES.tooMany })
    .optional()
    .describe('Your own syringes, all of them; those without an id are new'),
  deadSpaceMl: decimalField(PROFILE_MESSAGES.deadSpaceMl, { most: MAX_DEAD_SPACE_ML, units: VOLUME_UNITS })
    .transform(plainText)
    .optional()
    .describe('ml left in the syringe and needle after each injection, 0 for none; stock forecasts count it'),
});

/** The form of the profile's first page. */
export const detailsSchema = profileSchema.pick({ name: true, timeZone: true });

/** The form of units and syringe. */
export const unitsSchema = profileSchema.omit({ name: true, timeZone: true, syringes: true });

/** Changes to some of the details; the others stay. An empty name removes it. */
export const profileChangesSchema = profileSchema.partial();

export type ProfileChangesInput = z.input<typeof profileChangesSchema>;
