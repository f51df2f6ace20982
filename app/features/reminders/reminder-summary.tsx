import type { ReminderView } from '#app/domain/reminders/reminder-texts.ts';
import { Badge } from '#app/ui/badge.tsx';

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
