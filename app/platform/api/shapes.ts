import { MAX_MOMENT_LENGTH } from '#app/domain/forms/fields.ts';
import { SUPPLY_KINDS } from '#app/domain/supplies/supply.ts';
import * as z from 'zod';
import type { Page } from '#app/domain/forms/paging.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { MEASUREMENT_UNITS, PREFERRED_DOSE_UNITS } from '#app/domain/accounts/profile.ts';
import { ROLES } from '#app/domain/accounts/account.ts';

/** The most entries on a page of a list. */
export const MAX_PAGE_SIZE = 100;

/** An instant in a response: a `Date` in our code, ISO 8601 in UTC in JSON. */
export const instant = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());

/** A calendar day, `YYYY-MM-DD`. */
export const day = z
  .string()
  .refine(isCalendarDay, { error: 'Enter a date as YYYY-MM-DD.' })
  .meta({ type: 'string', format: 'date' });

/** The bounds of a number: `above` is not part of the range, `from` and `most` are. */
interface Bounds {
  above?: number;
  from?: number;
  most?: number;
}

const boundsOf = ({ above, from, most }: Bounds) => ({
  ...(above === undefined ? {} : { exclusiveMinimum: above }),
  ...(from === undefined ? {} : { minimum: from }),
  ...(most === undefined ? {} : { maximum: most }),
});

/** An amount in a body whose values the operation checks: a number, or the same as decimal text. */
export const decimal = (bounds: Bounds = {}) =>
  z.union([z.number(), z.string()]).meta({ type: 'number', ...boundsOf(bounds) });

/** The same for a whole number. */
export const wholeOrText = (from: number, most: number) =>
  z.union([z.int(), z.string()]).meta({ type: 'integer', ...boundsOf({ from, most }) });

/** A text in such a body. */
export const textUpTo = (most: number) => z.string().meta({ maxLength: most });

/** A calendar day in such a body. */
export const dayText = z.string().meta({ format: 'date' });

/** A date and time in such a body: ISO 8601, or wall-clock time. */
export const momentText = textUpTo(MAX_MOMENT_LENGTH);

/** An id in a path. An invalid one is simply not found. */
export const idParams = z.object({ id: z.string().min(1).max(200).describe('Id of the record') });

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

/** A period in a query string, in the caller's time zone. */
export const periodQuery = {
  start: day.optional().describe('First day'),
  end: day.optional().describe('Last day, included'),
};

/** The page of a list: `page` from 1, with `limit` entries, at most `most`. */
export const pageQuery = (limit = 20, most = MAX_PAGE_SIZE) => ({
  page: wholeNumber({ min: 1, max: 1_000_000, otherwise: 1, about: 'Page, from 1' }),
  limit: wholeNumber({ min: 1, max: most, otherwise: limit, about: 'Entries on a page' }),
});

/** A list also goes on at a cursor, beside {@link pageQuery}. */
export const cursorQuery = {
  cursor: z.string().min(1).max(3000).optional().describe('`next` of the last response; `page` is ignored'),
};

/** The fields of a list's response besides its entries. */
export const cursorPageShape = {
  page: z.int().describe('Page, from 1').meta({ id: 'PageNo' }),
  limit: z.int().describe('Entries on a page').meta({ id: 'PageSize' }),
  total: z.int().describe('Entries on all pages together').meta({ id: 'Total' }),
  next: z.string().nullable().describe('Next `cursor`'),
};

/** When a record was last changed; for rows of earlier versions, when it was added. */
export const updatedAtOf = ({ updatedAt, createdAt }: { updatedAt?: Date; createdAt: Date }): Date =>
  updatedAt ?? createdAt;

/** For lists of records with `updatedAt`. */
export const updatedQuery = {
  updatedSince: z.iso
    .datetime({ offset: true, error: 'Enter an instant such as 2026-11-22T08:00:00Z' })
    .transform((text) => new Date(text))
    .optional()
    .describe('Only what was added or changed at this instant or later'),
};

/**
 * A page of a list as it was asked for. People who ask for a page beyond the end are shown the last one; a program that keeps
 * counting must reach an end.
 */
export function pageAsked<Row>(found: Page<Row>, { page }: { page: number }) {
  const { limit, total } = found;
  return { items: page > found.pages ? [] : found.items, paging: { page, limit, total } };
}

const TRUTH: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** A boolean in a query string: `true`, `false`, `1`, `0`. */
export const yesOrNo = z.preprocess(
  (value) => (typeof value === 'string' ? (TRUTH[value] ?? value) : value),
  z.boolean({ error: 'Must be true or false' }),
);

/** Several values in a query string, separated by commas or with a repeated name. */
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

/** What a page would ask about, and the API reports: the record is saved regardless. */
export const warningsOf = <const Codes extends readonly [string, ...string[]]>(codes: Codes) =>
  z.array(z.object({ code: z.enum(codes), message: z.string().describe('For people') }));

/** Gives a schema a name in the document. */
export const named = <T extends z.ZodType>(id: string, schema: T): T => schema.meta({ id });

type NounFields<Name extends string> = Readonly<Record<Name, z.ZodType>>;

/** Fields of a noun in a response, each with its meaning; null while nothing was entered. */
const shapesOf = <Name extends string, S extends z.ZodType>(fields: NounFields<Name>, shape: S) =>
  Object.fromEntries(
    Object.entries<z.ZodType>(fields).map(([name, { description }]) => {
      const value = shape.nullable();
      return [name, description === undefined ? value : value.describe(description)];
    }),
  ) as Record<Name, z.ZodNullable<S>>;

/** Fields of a noun as texts in a response; those that are no texts are described after them. */
export const textShapes = <Name extends string>(fields: NounFields<Name>) => shapesOf(fields, z.string());

/** Amounts of a noun, which are stored as text, as numbers in a response. */
export const numberShapes = <Name extends string>(fields: NounFields<Name>) => shapesOf(fields, z.number());

/** Calendar days of a noun in a response. */
export const dayShapes = <Name extends string>(fields: NounFields<Name>) => shapesOf(fields, day);

/** An amount that is stored as text, as a number in a response. */
export const numberOfText = z.string().transform(Number).pipe(z.number());

/** A syringe of one's own in a response. */
const ownSyringeShape = named(
  'OwnSyringe',
  z.object({
    id: z.string().describe('Begins with "own:"; calculations take it as `syringe`'),
    name: z.string(),
    barrelMl: numberOfText,
    unitsPerMl: numberOfText.nullable().describe('What its numbers count in 1 ml; null if they are ml'),
    mark: numberOfText.describe('Between two marks, in its numbers'),
  }),
);

/** An account in a response. */
export const accountShape = named(
  'User',
  z.object({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    subscription: z.enum(['free', 'premium']),
    subscriptionStatus: z.enum(['active', 'trial', 'past_due', 'canceled']),
    trialDaysLeft: z.int().nullable().describe('Whole days left in a running trial'),
    trialAvailable: z.boolean().describe('The account has not used its free trial yet'),
    secondFactor: z.boolean().describe('Signing in requires a code'),
    name: z.string().nullable(),
    timeZone: z.string().describe('IANA name; defines where calendar days begin'),
    doseUnit: z.enum(PREFERRED_DOSE_UNITS),
    units: z.enum(MEASUREMENT_UNITS),
    syringe: z.string().describe('Units of doses refer to its scale'),
    syringes: z.array(ownSyringeShape).describe('Their own'),
    deadSpaceMl: numberOfText.describe(
      'ml left in the syringe and needle after each injection; included in the stock forecast',
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
  syringes: [],
  deadSpaceMl: 0,
  lastLogin: '2026-11-22T08:00:00.000Z',
  createdAt: '2026-11-22T08:00:00.000Z',
};

/** A supply in a response. */
export const supplyShape = named(
  'Supply',
  z.object({
    id: z.string(),
    kind: z.enum(SUPPLY_KINDS),
    name: z.string(),
    left: z.int().describe('Pieces; negative if more were used than counted'),
    count: z.int().describe('Pieces counted at `countedAt`, plus those received since'),
    countedAt: instant.describe('Doses taken after this use pieces'),
    perInjection: z.int(),
    version: z.int().describe('Increases with each change'),
    createdAt: instant,
    level: z.enum(['unknown', 'ok', 'amber', 'red']).describe('Amber under 14 days, red under 7'),
    runOutDay: day.nullable().describe('First day whose doses it does not cover'),
    daysOfSupply: z.int().nullable(),
    reorderBy: day.nullable(),
  }),
);
