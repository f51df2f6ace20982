import { Form, Link, useLocation } from '@remix-run/react';
import { badgeText, type ReminderView } from '#app/domain/reminder/index.ts';
import { Icon } from '../ui/icon.tsx';
import { EnableNotifications } from './enable-notifications.tsx';
import { REMINDERS_PATH, reminderPath } from './paths.ts';
import { ReminderWords } from './reminder-words.tsx';
import { useReminderWatch } from './use-reminder-watch.ts';

/** What the bell shows. */
export interface BellData {
  reminders: readonly ReminderView[];
  unread: number;
  hasMore: boolean;
}

/** One reminder; choosing it marks it as read and leads to its dose. */
function BellItem({ reminder }: { reminder: ReminderView }) {
  return (
    <li>
      <Form method="post" action={reminderPath(reminder.id)}>
        <input type="hidden" name="intent" value="read" />
        <button className={reminder.isRead ? 'bell-item' : 'bell-item bell-item-new'}>
          <ReminderWords reminder={reminder} />
        </button>
      </Form>
    </li>
  );
}

function BellList({ reminders, hasMore }: BellData) {
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
  const badge = badgeText(bell.unread);
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
        <BellList {...bell} />
      </div>
    </details>
  );
}
