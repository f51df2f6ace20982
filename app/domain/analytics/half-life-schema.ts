import * as z from 'zod';
import { HALF_LIFE_HOURS, PEAK_HOURS } from './half-lives.ts';
import { decimalText } from '#app/domain/forms/text-fields.ts';
import { vendorName } from '#app/domain/vendors/vendor-schema.ts';

/** The most characters of a source that a user names. */
export const MAX_SOURCE_LENGTH = 300;

export const HALF_LIFE_MESSAGES = {
  hours: `Half-life must be a number of hours from ${HALF_LIFE_HOURS.least} to ${HALF_LIFE_HOURS.most}`,
  peakHours: `Time of the peak must be a number of hours from ${PEAK_HOURS.least} to ${PEAK_HOURS.most}`,
  latePeak: 'The peak must not be later than ten half-lives',
  source: `Source must have at most ${MAX_SOURCE_LENGTH} characters`,
} as const;

const hoursWithin = ({ least, most }: { least: number; most: number }, message: string) =>
  z.optional(
    decimalText(message).check(
      z.refine((text: string) => Number(text) >= least && Number(text) <= most, { error: message }),
    ),
  );

/**
 * Setting the half-life and the time of the peak of a compound for one's own curves, in hours, and where they are from.
 * What is left out is the built-in value again.
 */
export const halfLifeSchema = z.object({
  name: vendorName,
  hours: hoursWithin(HALF_LIFE_HOURS, HALF_LIFE_MESSAGES.hours),
  peakHours: hoursWithin(PEAK_HOURS, HALF_LIFE_MESSAGES.peakHours),
  source: z.optional(z.string().trim().max(MAX_SOURCE_LENGTH, { error: HALF_LIFE_MESSAGES.source })),
});

export type HalfLifeInput = z.input<typeof halfLifeSchema>;
