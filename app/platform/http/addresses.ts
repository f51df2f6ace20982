import type { Page } from '#app/domain/forms/paging.ts';

const BASE = 'https://vialbook.invalid';

/**
 * The path to go to after sign-in, if it is on this site; otherwise `fallback`.
 * Rejects `//host`, `/\host`, control characters, other schemes, and their encoded forms (ASVS 3.7.2).
 */
export function safeRedirect(target: unknown, fallback = '/dashboard'): string {
  if (typeof target !== 'string' || target.length > 2000) return fallback;
  // oxlint-disable-next-line no-control-regex -- browsers drop control characters from URLs, so none may pass
  if (!target.startsWith('/') || /[\\\u0000-\u001f\u007f]/.test(target)) return fallback;
  let decoded: string;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    return fallback;
  }
  if (/^\/[/\\]/.test(target) || /^\/[/\\]/.test(decoded)) return fallback;
  const url = new URL(target, BASE);
  if (url.origin !== BASE || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** An address of this site with parts of its query changed; `null` removes a name. */
export function pageAddress(
  path: string,
  search: URLSearchParams,
  changes: Record<string, string | null> = {},
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const query = next.toString();
  return query ? `${path}?${query}` : path;
}

/** The pages of a list, and which one is shown. */
interface ListPages {
  total: number;
  /** "21–40 of 53"; absent if there is only one page. */
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** The links around one page of a list. @param anchor position of the list on its page, including `#` */
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

/** The first value of each query field; undefined if absent. */
export function queryOf<Name extends string>(url: URL, ...names: Name[]): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}

/** Folders of secret addresses, which need no sign-in. */
const SECRET_FOLDERS = ['share', 'act', 'calendar', 'reset-password', 'confirm-email'] as const;
type SecretFolder = (typeof SECRET_FOLDERS)[number];

/** A path without capitals, percent-encoding, backslashes and double slashes. */
function plainPath(path: string): string {
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // An address that cannot be decoded leads to no page, but may still contain a secret.
  }
  return `/${plain.toLowerCase().replace(/\\/g, '/').split('/').filter(Boolean).join('/')}`;
}

/**
 * The folder of a secret address, in any spelling that leads to its page: capitals, percent-encoding, double slashes.
 * Such an address must never be stored, listed or passed on.
 */
export function secretFolderOf(path: string): SecretFolder | null {
  const [, first = '', second = ''] = plainPath(path).split('/');
  return second === '' ? null : (SECRET_FOLDERS.find((folder) => folder === first) ?? null);
}

/**
 * What a browser reveals about the previous address; never a secret one. Pages with forms don't use `no-referrer`, because
 * it would remove the forms' Origin.
 */
export function referrerPolicyOf(path: string): string {
  const folder = secretFolderOf(path);
  if (folder === null) return 'strict-origin-when-cross-origin';
  // Pages of shared reports and calendars have no forms.
  return folder === 'share' || folder === 'calendar' ? 'no-referrer' : 'same-origin';
}

/** Pages and calls about plans, payments and referrals, which a server that sells nothing does not have. */
const SOLD = new RegExp(
  `^/(?:${[
    'upgrade',
    'dashboard/referrals',
    'admin/dashboard/subscriptions',
    'webhooks/stripe',
    'api/(?:billing|stripe|referrals)',
    'api/admin/users/[^/]+/subscription',
  ].join('|')})(?:/|$)`,
);

/** True for an address that exists only where plans are sold, in any spelling that leads to it. */
export function isAboutSelling(path: string): boolean {
  return SOLD.test(plainPath(path));
}

/** Stripe's own pages: the only other site our forms lead to, and only if Stripe is configured. */
export const PAYMENT_HOSTS: readonly string[] = ['checkout.stripe.com', 'billing.stripe.com'];
