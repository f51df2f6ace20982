import * as z from 'zod';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { DOSE_MESSAGES, logDoseSchema } from './dose-schema.ts';

/** What pressing "Log injection" records: a dose with its site, or only the site. */
export const INJECTION_RECORDS = ['dose', 'site'] as const;

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** A rule that holds only for a dose, and that is checked even where another field is wrong. */
const requiredForDose = (field: 'name' | 'dose', error: string) => ({
  rule: (input: { record: string; name?: unknown; dose?: unknown }) =>
    input.record !== 'dose' || !isMissing(input[field]),
  options: { path: [field], error, when: () => true },
});

const named = requiredForDose('name', DOSE_MESSAGES.name);
const measured = requiredForDose('dose', 'Enter the dose. To note only the site, choose “Only the site”.');

/**
 * The form under the body map. As a `dose` it needs a compound and an amount: it is drawn from a vial and counted as
 * taken, and its site is noted. As a `site`, also when nothing else is said, it is a note in the site log.
 */
export const injectionSchema = z
  .object({
    ...logSiteSchema.shape,
    record: z.enum(INJECTION_RECORDS).default('site'),
    dose: z.optional(logDoseSchema.shape.actualDose),
    doseOf: logDoseSchema.shape.doseOf,
    confirmed: logDoseSchema.shape.confirmed,
    confirmedAmount: logDoseSchema.shape.confirmedAmount,
  })
  .refine(named.rule, named.options)
  .refine(measured.rule, measured.options);

export type InjectionFields = z.output<typeof injectionSchema>;
