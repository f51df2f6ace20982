import * as z from 'zod';

/** Entries on one page of a list. */
export const PAGE_SIZE = 20;

const page = z.coerce.number().int().min(1).max(1_000_000).default(1).catch(1);
const limit = z.coerce.number().int().min(1).max(100).default(PAGE_SIZE).catch(PAGE_SIZE);

/** The requested part of a list. Invalid values fall back to the defaults, so that old links still open. */
export const pagingSchema = z.object({ page, limit });

/** A period of a list: its first and last day, YYYY-MM-DD, in the owner's time zone; without one, since ever or for ever. */
export interface Period {
  start?: string | undefined;
  end?: string | undefined;
}

/** Any text, cut to 200 characters. */
export const searchField = z
  .string()
  .transform((text) => text.trim().slice(0, 200))
  .default('')
  .catch('');

export type Paging = z.output<typeof pagingSchema>;
export type PagingInput = z.input<typeof pagingSchema>;

/** One page of a list. */
export interface Page<T> {
  items: T[];
  page: number;
  pages: number;
  limit: number;
  total: number;
}

/** The page to show: the last one if the requested page does not exist. */
export function pageWithin({ page: requestedPage, limit: size }: Paging, total: number) {
  const pages = Math.max(1, Math.ceil(total / size));
  const shown = Math.min(requestedPage, pages);
  return { page: shown, pages, limit: size, total, skip: (shown - 1) * size };
}
