import { entriesRefused } from '#app/domain/messages/installed-messages.ts';
import { OFFLINE_PATH } from '#app/offline/paths.ts';
import { Notice } from '#app/ui/notice.tsx';

/** Entries that the server did not take wait for their owner's decision; this says so on every page until it is made. */
export function RefusedNotice({ count }: { count: number }) {
  return (
    <div className="refused-notice no-print">
      <Notice
        tone="warning"
        role="status"
        actions={
          <a href={`${OFFLINE_PATH}#waiting`} className="btn">
            Look at {count === 1 ? 'it' : 'them'}
          </a>
        }
      >
        {entriesRefused(count)}
      </Notice>
    </div>
  );
}
