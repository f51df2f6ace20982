import * as z from 'zod';
import { ROLE_FILTERS, STATUS_FILTERS, SUBSCRIPTION_FILTERS, USER_SORTS } from './user-filter.ts';
import { searchField } from '#app/domain/forms/paging.ts';

/** Rows of one page of the admin lists. */
export const ADMIN_PAGE = 20;

const cursor = z.string().max(2000).optional().catch(undefined);
const limit = z.coerce.number().int().min(1).max(100);
const page = z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined);

/** A list of accounts. Whatever makes no sense falls back. `cursor` wins over `page`. */
export const listUsersSchema = z.object({
  search: searchField,
  subscription: z.enum(SUBSCRIPTION_FILTERS).default('all').catch('all'),
  status: z.enum(STATUS_FILTERS).default('all').catch('all'),
  role: z.enum(ROLE_FILTERS).default('all').catch('all'),
  /** Only accounts seen in the last 30 days. */
  active: z.literal('30').optional().catch(undefined),
  sort: z.enum(USER_SORTS).default('newest').catch('newest'),
  cursor,
  page,
  limit: limit.default(ADMIN_PAGE).catch(ADMIN_PAGE),
});

export type ListUsersInput = z.input<typeof listUsersSchema>;
export type ListUsersQuery = z.output<typeof listUsersSchema>;

const day = z.iso.date().optional().catch(undefined);

/** A list of audit rows. People are named by address or id, a terminal by `cli:NAME`. Both days are included. */
export const listAuditSchema = z.object({
  actor: searchField,
  subject: searchField,
  action: searchField,
  startDate: day,
  endDate: day,
  cursor,
  page,
  limit: limit.default(50).catch(50),
});

export type ListAuditInput = z.input<typeof listAuditSchema>;
export type ListAuditQuery = z.output<typeof listAuditSchema>;
