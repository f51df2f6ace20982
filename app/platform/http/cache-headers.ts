import type { EntryContext } from '@remix-run/node';

/** Folders whose addresses are secrets: whoever has one needs nothing else. */
const SECRET_FOLDERS = ['share', 'act', 'calendar', 'reset-password', 'confirm-email'] as const;
type SecretFolder = (typeof SECRET_FOLDERS)[number];

/**
 * The folder of a secret address, in any spelling that leads to its page: capitals, percent-encoding, doubled slashes.
 * Nothing keeps such an address, lists it or passes it on.
 */
export function secretFolderOf(path: string): SecretFolder | null {
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // What cannot be decoded leads to no page, and may hold a secret all the same.
  }
  const [first = '', second = ''] = plain.toLowerCase().replace(/\\/g, '/').split('/').filter(Boolean);
  return second === '' ? null : (SECRET_FOLDERS.find((folder) => folder === first) ?? null);
}

/** Whether an address is read by whoever has its link, on pages without a form. */
const isReadByLink = (folder: SecretFolder | null): boolean => folder === 'share' || folder === 'calendar';

/**
 * What a browser tells other pages about the address it comes from. Never anything of a secret one; `no-referrer` itself
 * would take the Origin away from the forms on those that have some.
 */
export function referrerPolicyOf(path: string): string {
  const folder = secretFolderOf(path);
  if (folder === null) return 'strict-origin-when-cross-origin';
  return isReadByLink(folder) ? 'no-referrer' : 'same-origin';
}

/**
 * Pages are made for one reader: those of somebody signed in are kept nowhere (ASVS 14.3.2), the rest only to go back
 * to. An answer that says otherwise itself (a file, a probe) is left alone.
 */
export function setCacheControl(request: Request, headers: Headers): void {
  if (headers.has('Cache-Control')) return;
  const isPrivate = secretFolderOf(new URL(request.url).pathname) !== null;
  const signedIn = (request.headers.get('Cookie') ?? '').includes('vialbook_session=');
  headers.set(
    'Cache-Control',
    isPrivate || signedIn || headers.has('Set-Cookie') ? 'no-store' : 'private, no-cache',
  );
}

/**
 * What loaders and actions say about the answer as a whole. The framework takes only cookies from them into a page:
 * without this a refused attempt would not say when to come back.
 */
export function setDocumentHeaders(
  { staticHandlerContext: { actionHeaders, loaderHeaders } }: EntryContext,
  status: number,
  headers: Headers,
): void {
  for (const own of [...Object.values(loaderHeaders), ...Object.values(actionHeaders)]) {
    const retryAfter = own.get('Retry-After');
    if (retryAfter !== null) headers.set('Retry-After', retryAfter);
  }
  // Only pages without an action answer so; the server's entry has refused other methods already.
  if (status === 405) headers.set('Allow', 'GET, HEAD');
}
