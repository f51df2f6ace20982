import type { ReminderView } from '#app/domain/reminders/reminder-texts.ts';
import { Badge } from '#app/ui/badge.tsx';
import { useFetchers } from '@remix-run/react';
import { shownAhead } from '#app/ui/connection/client-action.ts';

/** Title, message and age of a reminder, and whether it is new. */
export function ReminderSummary({ reminder }: { reminder: ReminderView }) {
  const { title, message, ago, at, isRead } = reminder;
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <span className={isRead ? '' : 'font-semibold'}>{title}</span>
        {isRead ? null : <Badge tone="pen">New</Badge>}
        <time dateTime={at} className="ms-auto text-sm whitespace-nowrap text-soft">
          {ago}
        </time>
      </span>
      <span className="block">{message}</span>
    </>
  );
}

/** Fetcher key of the form that marks all as read. */
export const READ_ALL = 'read-all';
/** Fetcher key of the form that marks one as read. */
export const readKey = (id: string): string => `read-${id}`;

/**
 * Shows reminders as read before the server has answered. If the request fails, they are unread again.
 * @returns the reminders and the number of unread ones as they will be
 */
export function useReadAhead<Reminder extends Pick<ReminderView, 'id' | 'isRead'>>(
  reminders: readonly Reminder[],
  unread: number,
): { reminders: Reminder[]; unread: number } {
  const sent = useFetchers().filter(shownAhead);
  const keys = new Set(sent.map(({ key }) => key));
  if (keys.has(READ_ALL)) return { reminders: reminders.map((one) => ({ ...one, isRead: true })), unread: 0 };
  const isNew = ({ id, isRead }: Reminder) => !isRead && keys.has(readKey(id));
  const count = reminders.filter(isNew).length;
  return {
    reminders: reminders.map((one) => (isNew(one) ? { ...one, isRead: true } : one)),
    unread: Math.max(0, unread - count),
  };
}
