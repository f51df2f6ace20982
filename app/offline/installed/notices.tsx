import { useEffect } from 'react';
import { useLocation } from '@remix-run/react';
import { OFFLINE_WORDS } from '#app/domain/messages.ts';
import { OFFLINE_PATH } from '#app/offline/paths.ts';
import { Notice } from '#app/ui/notice.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { showToast, type Toast } from '#app/ui/toasts.tsx';
import { InstallCard } from './install-card.tsx';
import { useOfflineSync } from './use-offline-sync.ts';
import { useConnectionChange, useOnline } from './use-connection.ts';
import { useWorker } from './use-worker.ts';

/** Shown on every page while there are refused entries that the user has to decide about. */
function RefusedNotice({ count }: { count: number }) {
  return (
    <div className="refused-notice no-print">
      <Notice
        tone="warning"
        role="status"
        actions={
          <a href={`${OFFLINE_PATH}#waiting`} className="btn">
            Review {count === 1 ? 'it' : 'them'}
          </a>
        }
      >
        {count === 1
          ? '1 entry that you made offline could not be saved.'
          : `${count} entries that you made offline could not be saved.`}
      </Notice>
    </div>
  );
}

/** The URL of a plain click on a link within this site; null for all other clicks. */
function addressOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target || link.hasAttribute('download')) return null;
  const { origin, pathname, search, hash, href } = link;
  if (origin !== window.location.origin) return null;
  const isHere = pathname === window.location.pathname && search === window.location.search;
  // The offline page handles its own links.
  return (isHere && hash !== '') || window.location.pathname === OFFLINE_PATH ? null : href;
}

/**
 * Without a connection, lets the browser follow links instead of the router, so that the service worker can answer with the
 * offline page.
 */
function useBrowserNavigation(online: boolean): void {
  useEffect(() => {
    if (online || !navigator.serviceWorker?.controller) return;
    const leave = (event: MouseEvent) => {
      const address = addressOf(event);
      if (address === null) return;
      event.preventDefault();
      event.stopPropagation();
      window.location.assign(address);
    };
    // In the capture phase, before the router.
    window.addEventListener('click', leave, { capture: true });
    return () => window.removeEventListener('click', leave, { capture: true });
  }, [online]);
}

const say = (type: Toast['type'], message: string) => showToast({ type, message });

/** Shown while there is no connection; links to the offline page. */
function OfflinePill() {
  return (
    <a href={OFFLINE_PATH} className="offline-pill no-print">
      <Icon name="warning" size={16} />
      {OFFLINE_WORDS}
    </a>
  );
}

const UPDATE_TEXT = 'New app version available. Refresh to update.';

/** Shown once as a toast, and with a button at the end of the page, where it covers nothing. */
function UpdateNotice({ onRefresh }: { onRefresh: () => void }) {
  useEffect(() => say('info', UPDATE_TEXT), []);
  return (
    <div className="update-notice no-print">
      <Notice
        actions={
          <Button type="button" variant="primary" onClick={onRefresh}>
            Refresh
          </Button>
        }
      >
        {UPDATE_TEXT}
      </Notice>
    </div>
  );
}

const tellConnection = (online: boolean) =>
  online ? say('success', 'Back online') : say('warning', OFFLINE_WORDS);

/** The notices of the app on top of a page. */
export function Notices() {
  const { pathname } = useLocation();
  const online = useOnline();
  const takeOver = useWorker();
  useConnectionChange(online, tellConnection);
  useBrowserNavigation(online);
  const refused = useOfflineSync(online, say);
  return (
    <>
      {takeOver ? <UpdateNotice onRefresh={takeOver} /> : null}
      {online || pathname === OFFLINE_PATH ? null : <OfflinePill />}
      {refused > 0 && pathname !== OFFLINE_PATH ? <RefusedNotice count={refused} /> : null}
      <InstallCard say={say} />
    </>
  );
}
