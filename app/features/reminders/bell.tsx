import { Link, useFetcher, useLocation } from '@remix-run/react';
import { badgeText } from '#app/domain/reminders/relative-time.ts';
import type { ReminderView } from '#app/domain/reminders/reminder-view.ts';
import { Icon } from '#app/ui/icon.tsx';
import { EnableNotifications } from './enable-notifications.tsx';
import { REMINDERS_PATH, reminderPath } from './paths.ts';
import { readKey, useReadAhead } from './optimistic-reminders.ts';
import { ReminderWords } from './reminder-texts.tsx';
import { useReminderWatch } from './use-reminder-watch.ts';

/** What the bell shows. */
export interface BellData {
  reminders: readonly ReminderView[];
  unread: number;
  hasMore: boolean;
}

/** One reminder; choosing it marks it as read, with scripts at once, and leads to its dose. */
function BellItem({ reminder }: { reminder: ReminderView }) {
  const fetcher = useFetcher({ key: readKey(reminder.id) });
  return (
    <li>
      <fetcher.Form method="post" action={reminderPath(reminder.id)}>
        <input type="hidden" name="intent" value="read" />
        <button className={reminder.isRead ? 'bell-item' : 'bell-item bell-item-new'}>
          <ReminderWords reminder={reminder} />
        </button>
      </fetcher.Form>
    </li>
  );
}

function BellList({ reminders, hasMore }: Omit<BellData, 'unread'>) {
  if (reminders.length === 0) {
    return <p className="p-4 text-soft">No reminders yet. They appear here when a dose comes up.</p>;
  }
  return (
    <>
      <ul>
        {reminders.map((reminder) => (
          <BellItem key={reminder.id} reminder={reminder} />
        ))}
      </ul>
      {hasMore ? (
        <Link to={REMINDERS_PATH} className="bell-all">
          View all reminders
        </Link>
      ) : null}
    </>
  );
}

/** The reminder bell. Folds open without scripts; another page closes it. */
export function Bell(bell: BellData) {
  const { key } = useLocation();
  useReminderWatch();
  const { reminders, unread } = useReadAhead(bell.reminders, bell.unread);
  const badge = badgeText(unread);
  return (
    <details key={key} className="bell">
      <summary className="bell-button">
        <Icon name="bell" />
        <span className="sr-only">{'Reminders '}</span>
        {badge === null ? null : (
          <span className="bell-badge">
            {badge}
            <span className="sr-only"> unread</span>
          </span>
        )}
      </summary>
      <div className="bell-panel">
        <EnableNotifications onlyToAsk />
        <BellList reminders={reminders} hasMore={bell.hasMore} />
      </div>
    </details>
  );
}
