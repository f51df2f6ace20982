import * as z from 'zod';

/** Entries on one page of a list. */
export const PAGE_SIZE = 20;

const page = z.coerce.number().int().min(1).max(1_000_000).default(1).catch(1);
const limit = z.coerce.number().int().min(1).max(100).default(PAGE_SIZE).catch(PAGE_SIZE);

/** Which part of a list is asked for. Whatever makes no sense falls back: a link with an old query still opens. */
export const pagingSchema = z.object({ page, limit });

/** Any text; longer than anybody types is cut. */
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

/** The page that there is: beyond the last one, the last. */
export function pageWithin({ page: asked, limit: size }: Paging, total: number) {
  const pages = Math.max(1, Math.ceil(total / size));
  const shown = Math.min(asked, pages);
  return { page: shown, pages, limit: size, total, skip: (shown - 1) * size };
}
