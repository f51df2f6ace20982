import type { EntryContext } from '@remix-run/node';

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
