import * as z from 'zod';
import { withoutControls } from '#app/domain/forms/text-fields.ts';
import { MAX_SEARCH_LENGTH } from '#app/domain/calculator/history.ts';

export const VIAL_FILTERS = ['active', 'open', 'low', 'expired', 'final', 'all'] as const;
/** Which vials a list shows; `active` means neither empty nor discarded. */
export type VialFilter = (typeof VIAL_FILTERS)[number];

export const VIAL_SORTS = ['expiry', 'name', 'remaining', 'added'] as const;
/** Earliest date first; name A to Z; least remaining first; newest first. */
export type VialSort = (typeof VIAL_SORTS)[number];

export const VIAL_PAGE_SIZE = 20;

/** The query of the vial list. Invalid values fall back to the defaults, so that old links still work. */
export const vialQuerySchema = z.object({
  search: z
    .string()
    .transform((text) => withoutControls(text).trim().slice(0, MAX_SEARCH_LENGTH))
    .default('')
    .catch(''),
  filter: z.enum(VIAL_FILTERS).default('active').catch('active'),
  sort: z.enum(VIAL_SORTS).default('expiry').catch('expiry'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).catch(1),
  limit: z.coerce.number().int().min(1).max(100).default(VIAL_PAGE_SIZE).catch(VIAL_PAGE_SIZE),
  /** A list's `next` or `previous`. */
  cursor: z.string().max(2000).optional().catch(undefined),
});

export type VialQueryInput = z.input<typeof vialQuerySchema>;
export type VialQuery = z.output<typeof vialQuerySchema>;
