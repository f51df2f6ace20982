import type { EntryContext } from '@remix-run/node';
import { secretFolderOf } from './addresses.ts';

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
