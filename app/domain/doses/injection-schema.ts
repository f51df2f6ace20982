import * as z from 'zod';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { DOSE_MESSAGES, drawIntent, logDoseSchema } from './dose-schema.ts';

/** What "Log injection" records: a dose with its site, or only the site. */
export const INJECTION_RECORDS = ['dose', 'site'] as const;

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** A rule that applies only to a dose, and is checked even if another field is wrong. */
const requiredForDose = (field: 'name' | 'dose', error: string) => ({
  rule: (input: { record: string; name?: unknown; dose?: unknown }) =>
    input.record !== 'dose' || !isMissing(input[field]),
  options: { path: [field], error, when: () => true },
});

const named = requiredForDose('name', DOSE_MESSAGES.name);
const measured = requiredForDose('dose', 'Enter the dose. To note only the site, choose “Only the site”.');

/**
 * The form under the body map. A `dose` needs a compound and an amount: it is drawn from a vial, counts as taken, and its
 * site is recorded. A `site`, the default, is only an entry in the site log.
 */
export const injectionSchema = z
  .object({
    ...logSiteSchema.shape,
    intent: drawIntent,
    record: z.enum(INJECTION_RECORDS).default('site'),
    dose: z.optional(logDoseSchema.shape.actualDose),
    doseOf: logDoseSchema.shape.doseOf,
    confirmed: logDoseSchema.shape.confirmed,
    confirmedAmount: logDoseSchema.shape.confirmedAmount,
  })
  .refine(named.rule, named.options)
  .refine(measured.rule, measured.options);

export type InjectionFields = z.output<typeof injectionSchema>;
