import { plural } from '#app/domain/text/plural.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { Form, useRevalidator, Link, useFetcher, useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { badgeText, type ReminderView } from '#app/domain/reminders/reminder-texts.ts';
import { REMINDERS_PATH, reminderPath } from './paths.ts';
import { mayNotify, showNotification, EnableNotifications } from './browser-notifications.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { whenIdle } from '#app/ui/hydration.ts';
import { readKey, useReadAhead, ReminderSummary } from './reminder-summary.tsx';

/** What the bell shows. */
export interface BellData {
  reminders: readonly ReminderView[];
  unread: number;
  hasMore: boolean;
  /** Muted until the owner's midnight. */
  isMuted: boolean;
}

/**
 * The reminder bell. Opens without scripts; navigating closes it.
 * @param props.proposals waiting proposals, which count as unread
 */
export function Bell({ proposals, ...bell }: BellData & { proposals: number }) {
  const { key } = useLocation();
  useReminderWatch();
  const { reminders, unread } = useReadAhead(bell.reminders, bell.unread);
  const badge = badgeText(unread + proposals);
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
        {proposals > 0 ? (
          <Link to="/dashboard/proposals" className="bell-all">
            {plural(proposals, 'proposal')} waiting for your answer
          </Link>
        ) : null}
        <BellList reminders={reminders} hasMore={bell.hasMore} />
        <div className="px-4 py-2">
          <MuteToday isMuted={bell.isMuted} action={`${REMINDERS_PATH}?index`} />
        </div>
      </div>
    </details>
  );
}

/** Holds back everything until the owner's midnight, or says so with the way back. */
export function MuteToday({ isMuted, action }: { isMuted: boolean; action: string }) {
  return (
    <Form method="post" action={action} className="flex flex-wrap items-center gap-3">
      <input type="hidden" name="intent" value={isMuted ? 'unmute' : 'mute'} />
      {isMuted ? <p>Muted until midnight</p> : null}
      <Button>{isMuted ? 'Unmute' : 'Mute for today'}</Button>
    </Form>
  );
}

function BellList({ reminders, hasMore }: Pick<BellData, 'reminders' | 'hasMore'>) {
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

/** One reminder; clicking it marks it as read and opens its dose. */
function BellItem({ reminder }: { reminder: ReminderView }) {
  const fetcher = useFetcher({ key: readKey(reminder.id) });
  return (
    <li>
      <fetcher.Form method="post" action={reminderPath(reminder.id)}>
        <input type="hidden" name="intent" value="read" />
        <button className={reminder.isRead ? 'bell-item' : 'bell-item bell-item-new'}>
          <ReminderSummary reminder={reminder} />
        </button>
      </fetcher.Form>
    </li>
  );
}

/** How often an open page checks for due reminders, and how often it reloads its data. */
const CHECK_MS = MINUTE_MS;
const RELOAD_MS = 5 * MINUTE_MS;

/** Checks for due reminders after loading and then every minute, and reloads the page's data every five. */
function useReminderWatch(): void {
  const { revalidate } = useRevalidator();
  const known = useRef(new Set<string>());
  useEffect(() => {
    const look = () => {
      // Offline there is nothing to show; the next check follows in a minute.
      check().then(
        (ids) => {
          const isNew = ids.some((id) => !known.current.has(id));
          for (const id of ids) known.current.add(id);
          if (isNew) revalidate();
        },
        () => undefined,
      );
    };
    const calledOff = whenIdle(look);
    const checking = setInterval(look, CHECK_MS);
    const reloading = setInterval(revalidate, RELOAD_MS);
    return () => {
      calledOff();
      clearInterval(checking);
      clearInterval(reloading);
    };
  }, [revalidate]);
}

const CHECK_PATH = `${REMINDERS_PATH}/check`;

/** Shows due reminders as browser notifications. @returns their ids */
async function check(): Promise<string[]> {
  const answer = await fetch(CHECK_PATH, { headers: { Accept: 'application/json' } });
  if (!answer.ok) return [];
  const { reminders } = (await answer.json()) as { reminders: ReminderView[] };
  const ids = reminders.map(({ id }) => id);
  if (ids.length > 0 && mayNotify()) {
    await Promise.all(reminders.map(show));
    await markShown(ids);
  }
  return ids;
}

async function show({ id, title, message, type }: ReminderView): Promise<void> {
  const requireInteraction = type === 'overdue';
  await showNotification({ title, body: message, tag: id, requireInteraction, url: reminderPath(id) });
}

async function markShown(ids: readonly string[]): Promise<void> {
  const body = new URLSearchParams(ids.map((id) => ['ids', id]));
  await fetch(CHECK_PATH, { method: 'POST', body });
}
