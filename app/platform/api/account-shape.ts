import * as z from 'zod';
import { SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import { MEASUREMENT_UNITS, PREFERRED_DOSE_UNITS } from '#app/domain/accounts/profile.ts';
import { ROLES } from '#app/domain/accounts/account.ts';
import { instant, named } from './shapes.ts';

/** An account in an answer. */
export const accountShape = named(
  'User',
  z.object({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    subscription: z.enum(['free', 'premium']),
    subscriptionStatus: z.enum(['active', 'trial', 'past_due', 'canceled']),
    trialDaysLeft: z.int().nullable().describe('Whole days left of a running trial'),
    trialAvailable: z.boolean().describe('The account has not had its free trial yet'),
    secondFactor: z.boolean().describe('Signing in asks for a code'),
    name: z.string().nullable(),
    timeZone: z.string().describe('IANA name; days are counted in it'),
    doseUnit: z.enum(PREFERRED_DOSE_UNITS),
    units: z.enum(MEASUREMENT_UNITS),
    syringe: z.enum(SYRINGE_IDS).describe('Units of doses are counted on its scale'),
    deadSpaceMl: z
      .string()
      .describe(
        'ml that stay in syringe and needle after each injection, decimal text; the forecast counts them',
      ),
    lastLogin: instant.nullable(),
    createdAt: instant,
  }),
);

/** An account in the document's examples. */
export const EXAMPLE_USER = {
  id: '6740f1a29c1b2d3e4f506172',
  email: 'ada@example.org',
  role: 'user',
  subscription: 'premium',
  subscriptionStatus: 'trial',
  trialDaysLeft: 14,
  trialAvailable: false,
  secondFactor: false,
  name: null,
  timeZone: 'Europe/Berlin',
  doseUnit: 'mg',
  units: 'metric',
  syringe: 'u100-1ml',
  deadSpaceMl: '0',
  lastLogin: '2026-11-22T08:00:00.000Z',
  createdAt: '2026-11-22T08:00:00.000Z',
};
