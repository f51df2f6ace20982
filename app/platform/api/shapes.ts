import * as z from 'zod';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import { MEASUREMENT_UNITS, PREFERRED_DOSE_UNITS } from '#app/domain/accounts/profile.ts';
import { ROLES } from '#app/domain/accounts/account.ts';

/** Most entries that one page of a list may ask for. */
export const MAX_PAGE_SIZE = 100;

/** An instant in an answer: a `Date` from the service, ISO 8601 in UTC on the wire. */
export const instant = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());

/** A calendar day, `YYYY-MM-DD`. */
export const day = z
  .string()
  .refine(isCalendarDay, { error: 'Enter a date as YYYY-MM-DD.' })
  .meta({ type: 'string', format: 'date' });

/** An id in a path. What cannot be one is simply not found. */
export const idParams = z.object({ id: z.string().min(1).max(200) });

/** A whole number in a query string. */
export function wholeNumber(limits: { min: number; max: number; otherwise: number; about: string }) {
  const { min, max, otherwise, about } = limits;
  const error = `Must be a whole number from ${min} to ${max}`;
  const number = z.int({ error }).min(min, { error }).max(max, { error });
  return z
    .preprocess(
      (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
      number.default(otherwise),
    )
    .describe(about);
}

/** The page of a list: `page` from 1, `limit` entries on it, at most `most`. */
export const pageQuery = (limit = 20, most = MAX_PAGE_SIZE) => ({
  page: wholeNumber({ min: 1, max: 1_000_000, otherwise: 1, about: 'Page, from 1' }),
  limit: wholeNumber({ min: 1, max: most, otherwise: limit, about: 'Entries on a page' }),
});

/** What a list's answer has beside its entries. */
export const pageShape = {
  page: z.int(),
  limit: z.int(),
  total: z.int().describe('Entries on all pages together'),
};

/** One page of a list that is short enough to be read whole, with what {@link pageShape} says of it. */
export function pageOf<Row>(rows: readonly Row[], { page, limit }: { page: number; limit: number }) {
  const items = rows.slice((page - 1) * limit, page * limit);
  return { items, paging: { page, limit, total: rows.length } };
}

const TRUTH: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Yes or no in a query string: `true`, `false`, `1`, `0`. */
export const yesOrNo = z.preprocess(
  (value) => (typeof value === 'string' ? (TRUTH[value] ?? value) : value),
  z.boolean({ error: 'Must be true or false' }),
);

/** Several values in a query string, separated by commas or under a repeated name. */
export const listOf = <T extends z.ZodType>(entry: T) =>
  z.preprocess(
    (value) =>
      (Array.isArray(value) ? value : [value])
        .filter((part) => typeof part === 'string')
        .flatMap((part) => part.split(','))
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    z.array(entry),
  );

/** The schema under a name of its own in the document. */
export const named = <T extends z.ZodType>(id: string, schema: T): T => schema.meta({ id });

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
    syringe: z.enum(SYRINGE_IDS).describe('The syringe you draw with; units are counted on its scale'),
    deadSpaceMl: z
      .string()
      .describe(
        'ml left in the syringe and needle after each injection, decimal text; stock forecasts count it',
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
