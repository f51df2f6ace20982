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
const cursor = z.string().max(2000).optional();

/** A list of accounts asked for by a script: what makes no sense is refused, where the page falls back. */
export const userListSchema = z.object({
  search: searchField,
  subscription: oneOf(SUBSCRIPTION_FILTERS).default('all'),
  status: oneOf(STATUS_FILTERS).default('all'),
  sort: oneOf(USER_SORTS).default('newest'),
  limit: limit.default(20),
  cursor,
});

/** Audit rows asked for by a script. */
export const auditListSchema = z.object({
  actor: searchField,
  subject: searchField,
  action: searchField,
  limit: limit.default(50),
  cursor,
});
