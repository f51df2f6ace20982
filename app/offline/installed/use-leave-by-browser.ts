import { useEffect } from 'react';
import { OFFLINE_PATH } from '#app/offline/paths.ts';

/** The address of a plain click on a link of this site; null for everything else. */
function addressOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target || link.hasAttribute('download')) return null;
  const { origin, pathname, search, hash, href } = link;
  if (origin !== window.location.origin) return null;
  const isHere = pathname === window.location.pathname && search === window.location.search;
  // The offline page sees to its own links.
  return (isHere && hash !== '') || window.location.pathname === OFFLINE_PATH ? null : href;
}

/**
 * Without a connection a link is followed by the browser: the service worker then answers with the offline page, where
 * the router could only fail.
 */
export function useLeaveByBrowser(online: boolean): void {
  useEffect(() => {
    if (online || !navigator.serviceWorker?.controller) return;
    const leave = (event: MouseEvent) => {
      const address = addressOf(event);
      if (address === null) return;
      event.preventDefault();
      event.stopPropagation();
      window.location.assign(address);
    };
    // Before the router, which listens further in.
    window.addEventListener('click', leave, { capture: true });
    return () => window.removeEventListener('click', leave, { capture: true });
  }, [online]);
}
