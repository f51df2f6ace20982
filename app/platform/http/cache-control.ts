import { isSharedAddress } from './share-url.ts';

/**
 * Pages are made for one reader: those of somebody signed in are kept nowhere (ASVS 14.3.2), the rest only to go back
 * to. An answer that says otherwise itself (a file, a probe) is left alone.
 */
export function setCacheControl(request: Request, headers: Headers): void {
  if (headers.has('Cache-Control')) return;
  const isPrivate = isSharedAddress(new URL(request.url).pathname);
  const signedIn = (request.headers.get('Cookie') ?? '').includes('vialbook_session=');
  headers.set(
    'Cache-Control',
    isPrivate || signedIn || headers.has('Set-Cookie') ? 'no-store' : 'private, no-cache',
  );
}
