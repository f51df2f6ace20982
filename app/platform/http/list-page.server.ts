import type { Page } from '#app/domain/forms/paging.ts';
import { pageAddress } from './addresses.ts';

/** Where a list's pages are, and which one is shown. */
interface ListPages {
  total: number;
  /** "21–40 of 53"; absent when there is one page. */
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** The links around one page of a list. @param anchor where the list stands on its page, with its `#` */
export function listPages(
  url: URL,
  { page, pages, limit, total, items }: Page<unknown>,
  anchor = '',
): ListPages {
  if (pages === 1) return { total };
  const first = (page - 1) * limit + 1;
  const to = (target: number) =>
    `${pageAddress(url.pathname, url.searchParams, { page: target === 1 ? null : String(target) })}${anchor}`;
  return {
    total,
    position: `${first}–${first + items.length - 1} of ${total}`,
    ...(page > 1 ? { previousHref: to(page - 1) } : {}),
    ...(page < pages ? { nextHref: to(page + 1) } : {}),
  };
}

/** The named fields of an address, each once; an absent one is undefined. */
export function queryOf<Name extends string>(url: URL, ...names: Name[]): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}
