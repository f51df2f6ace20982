import type { SyringeId } from '#app/domain/calculator/calculation.ts';

/** Longest name of a person that is kept. */
export const MAX_PERSON_NAME_LENGTH = 100;

/** The unit in which doses are entered unless the form says otherwise. */
export const PREFERRED_DOSE_UNITS = ['mg', 'mcg'] as const;
export type PreferredDoseUnit = (typeof PREFERRED_DOSE_UNITS)[number];

/** Units of body measurements: kilograms and centimetres, or pounds and inches. */
export const MEASUREMENT_UNITS = ['metric', 'imperial'] as const;
export type MeasurementUnits = (typeof MEASUREMENT_UNITS)[number];

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
