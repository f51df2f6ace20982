import * as z from 'zod';
import { HALF_LIFE_HOURS } from './half-lives.ts';
import { decimalText } from '#app/domain/forms/text-fields.ts';
import { vendorName } from '#app/domain/vendors/vendor-schema.ts';

export const HALF_LIFE_MESSAGES = {
  hours: `Half-life must be a number of hours from ${HALF_LIFE_HOURS.least} to ${HALF_LIFE_HOURS.most}`,
} as const;

/** Setting the half-life of a compound for one's own curves; without hours the built-in one counts again. */
export const halfLifeSchema = z.object({
  name: vendorName,
  hours: z.optional(
    decimalText(HALF_LIFE_MESSAGES.hours).check(
      z.refine(
        (text: string) => Number(text) >= HALF_LIFE_HOURS.least && Number(text) <= HALF_LIFE_HOURS.most,
        { error: HALF_LIFE_MESSAGES.hours },
      ),
    ),
  ),
});

export type HalfLifeInput = z.input<typeof halfLifeSchema>;
