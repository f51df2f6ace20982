import * as z from 'zod';
import { STATUS_FILTERS, SUBSCRIPTION_FILTERS, USER_SORTS } from './user-filter.ts';
import { searchField } from '#app/domain/forms/paging.ts';

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `Must be one of ${values.join(', ')}` });

const limitError = 'Must be a whole number from 1 to 100';
const limit = z.coerce
  .number({ error: limitError })
  .int({ error: limitError })
  .min(1, { error: limitError })
  .max(100, { error: limitError });
const pageError = 'Must be a whole number from 1 to 5000';
const page = z.coerce
  .number({ error: pageError })
  .int({ error: pageError })
  .min(1, { error: pageError })
  .max(5000, { error: pageError });
const cursor = z.string().max(2000).optional();
const day = z.iso.date({ error: 'Write a day as YYYY-MM-DD' }).optional();

/** A list of accounts asked for by a script: what makes no sense is refused, where the page falls back. */
export const userListSchema = z.object({
  search: searchField,
  subscription: oneOf(SUBSCRIPTION_FILTERS).default('all'),
  status: oneOf(STATUS_FILTERS).default('all'),
  sort: oneOf(USER_SORTS).default('newest'),
  page: page.default(1),
  limit: limit.default(20),
  cursor,
});

/** Audit rows asked for by a script. */
export const auditListSchema = z
  .object({
    actor: searchField,
    subject: searchField,
    action: searchField,
    from: day,
    to: day,
    page: page.default(1),
    limit: limit.default(50),
    cursor,
  })
  .refine(({ from = '', to = '9' }) => from <= to, {
    path: ['to'],
    error: 'The last day must not be before the first',
  });
