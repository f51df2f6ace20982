import * as z from 'zod';
import type { SavedCalculation } from './saved-calculation.ts';
import { withoutControls } from '#app/domain/forms/text-fields.ts';

export const HISTORY_SORTS = ['date', 'name', 'concentration'] as const;
/** Date newest first, name alphabetical, concentration highest first. */
export type HistorySort = (typeof HISTORY_SORTS)[number];

/** Saved calculations on one page. */
export const HISTORY_PAGE_SIZE = 20;

/** Longest search text that is looked at. */
export const MAX_SEARCH_LENGTH = 200;

/** What the history list is asked for. Whatever makes no sense falls back: a link with an old query still opens. */
export const historyQuerySchema = z.object({
  search: z
    .string()
    .transform((text) => withoutControls(text).trim().slice(0, MAX_SEARCH_LENGTH))
    .default('')
    .catch(''),
  sort: z.enum(HISTORY_SORTS).default('date').catch('date'),
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1).catch(1),
  limit: z.coerce.number().int().min(1).max(100).default(HISTORY_PAGE_SIZE).catch(HISTORY_PAGE_SIZE),
  /** Where to go on, from a list's `next` or `previous`; makes deep pages as quick as the first. */
  cursor: z.string().max(2000).optional().catch(undefined),
});

export type HistoryQueryInput = z.input<typeof historyQuerySchema>;
export type HistoryQuery = z.output<typeof historyQuerySchema>;

/** A saved calculation as the history shows it. What is shown of it is computed with `recompute`. */
export interface HistoryEntry extends SavedCalculation {
  /** True while it belongs to a sign-in session and goes with it. */
  isSessionOnly: boolean;
}
