import { useLocation } from '@remix-run/react';
import { useEffect } from 'react';
import { INSTALLED_WORDS } from '#app/domain/messages/installed-messages.ts';
import { OFFLINE_PATH } from '#app/offline/paths.ts';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { showToast, type Toast } from '#app/ui/toast-store.ts';
import { InstallCard } from './install-card.tsx';
import { useLeaveByBrowser } from './use-leave-by-browser.ts';
import { RefusedNotice } from './refused-notice.tsx';
import { useKeeper } from './use-offline-sync.ts';
import { useConnectionChange, useOnline } from './use-connection.ts';
import { useWorker } from './use-worker.ts';

const say = (type: Toast['type'], message: string) => showToast({ type, message });

/** Says so while there is no connection, and leads to what works without one. */
function OfflinePill() {
  return (
    <a href={OFFLINE_PATH} className="offline-pill no-print">
      <Icon name="warning" size={16} />
      {INSTALLED_WORDS.offline}
    </a>
  );
}

/** Told once as a toast; the way to it stays at the end of the page, where it covers nothing. */
function UpdateNotice({ onRefresh }: { onRefresh: () => void }) {
  useEffect(() => say('info', INSTALLED_WORDS.update), []);
  return (
    <div className="update-notice no-print">
      <Notice
        actions={
          <Button type="button" variant="primary" onClick={onRefresh}>
            {INSTALLED_WORDS.refresh}
          </Button>
        }
      >
        {INSTALLED_WORDS.update}
      </Notice>
    </div>
  );
}

const tellConnection = (online: boolean) =>
  online ? say('success', INSTALLED_WORDS.online) : say('warning', INSTALLED_WORDS.offline);

/** Everything that the installed app says on top of a page. */
export function Notices() {
  const { pathname } = useLocation();
  const online = useOnline();
  const takeOver = useWorker();
  useConnectionChange(online, tellConnection);
  useLeaveByBrowser(online);
  const refused = useKeeper(online, say);
  return (
    <>
      {takeOver ? <UpdateNotice onRefresh={takeOver} /> : null}
      {online || pathname === OFFLINE_PATH ? null : <OfflinePill />}
      {refused > 0 && pathname !== OFFLINE_PATH ? <RefusedNotice count={refused} /> : null}
      <InstallCard say={say} />
    </>
  );
}
