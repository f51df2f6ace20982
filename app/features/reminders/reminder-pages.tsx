import { Link, useFetcher, Form } from '@remix-run/react';
import type { ReminderView } from '#app/domain/reminders/reminder-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { slotHref } from '#app/features/doses/index.ts';
import { REMINDERS_PATH, reminderPath, dosePath } from './paths.ts';
import { READ_ALL, useReadAhead, ReminderSummary } from './reminder-summary.tsx';
import { SnoozeForm } from './snooze-form.tsx';

/** Links to all reminders and to the unread ones. */
export function ReminderFilter({ unreadOnly }: { unreadOnly: boolean }) {
  const choices = [
    { to: REMINDERS_PATH, label: 'All', isCurrent: !unreadOnly },
    { to: `${REMINDERS_PATH}?unread=1`, label: 'Unread', isCurrent: unreadOnly },
  ];
  return (
    <nav aria-label="Filter reminders" className="segments-links">
      {choices.map(({ to, label, isCurrent }) => (
        <Link key={to} to={to} aria-current={isCurrent ? 'true' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

export function ReadAllForm() {
  const fetcher = useFetcher({ key: READ_ALL });
  return (
    <fetcher.Form method="post" action={`${REMINDERS_PATH}?index`}>
      <Button>Mark all as read</Button>
    </fetcher.Form>
  );
}

export function NoReminders({ unreadOnly }: { unreadOnly: boolean }) {
  if (unreadOnly) {
    return (
      <EmptyState
        title="No unread reminders"
        drawing="done"
        action={<LinkButton to={REMINDERS_PATH}>Show all reminders</LinkButton>}
      >
        <p>You have read all your reminders.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No reminders yet"
      drawing="bell"
      action={
        <LinkButton variant="primary" to="/dashboard/profile/notifications">
          Notification settings
        </LinkButton>
      }
    >
      <p>
        Reminders about upcoming, due and overdue doses appear here, in the bell, and on the channels you
        choose.
      </p>
    </EmptyState>
  );
}

/** Reminders, newest first. */
export function ReminderList(props: { reminders: readonly ReminderView[] }) {
  const { reminders } = useReadAhead(props.reminders, 0);
  return (
    <ul className="border-t border-line">
      {reminders.map((reminder) => (
        <li key={reminder.id} className="border-b border-line">
          <Link
            to={reminderPath(reminder.id)}
            className={reminder.isRead ? 'reminder-row' : 'reminder-row reminder-row-new'}
          >
            <ReminderSummary reminder={reminder} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface ReminderPageProps {
  reminder: ReminderView;
  /** One of its doses is still pending. */
  isOpen: boolean;
  /** When the time slot begins, if several of its doses are pending. */
  slot: Date | null;
  /** The form's error message. */
  error?: string;
}

/** One reminder with its actions. */
export function ReminderPage({ reminder, isOpen, slot, error }: ReminderPageProps) {
  return (
    <div className="grid max-w-xl gap-6">
      <div className="sheet p-5">
        <ReminderSummary reminder={reminder} />
      </div>
      {slot !== null ? (
        <div>
          <LinkButton to={slotHref(slot)} variant="primary">
            Take all
          </LinkButton>
        </div>
      ) : isOpen && reminder.doseId !== null ? (
        <div className="flex flex-wrap gap-3">
          <LinkButton to={dosePath(reminder.doseId)} variant="primary">
            Open the dose
          </LinkButton>
          <LinkButton to={`${dosePath(reminder.doseId)}/move`}>Move it</LinkButton>
        </div>
      ) : null}
      {isOpen ? <SnoozeForm intent={['intent', 'snooze']} error={error} /> : null}
      <div className="flex flex-wrap gap-3">
        {reminder.isRead ? null : (
          <Form method="post">
            <input type="hidden" name="intent" value="read" />
            <Button>Mark as read</Button>
          </Form>
        )}
        <LinkButton to={REMINDERS_PATH} variant="plain">
          All reminders
        </LinkButton>
      </div>
    </div>
  );
}
