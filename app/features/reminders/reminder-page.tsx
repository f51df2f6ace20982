import { Form } from '@remix-run/react';
import type { ReminderView } from '#app/domain/reminders/reminder-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { dosePath, REMINDERS_PATH } from './paths.ts';
import { ReminderSummary } from './reminder-summary.tsx';
import { SnoozeForm } from './snooze-form.tsx';

interface ReminderPageProps {
  reminder: ReminderView;
  /** Its dose is still pending. */
  isOpen: boolean;
  /** The form's error message. */
  error?: string;
}

/** One reminder with its actions. */
export function ReminderPage({ reminder, isOpen, error }: ReminderPageProps) {
  return (
    <div className="grid max-w-xl gap-6">
      <div className="sheet p-5">
        <ReminderSummary reminder={reminder} />
      </div>
      {isOpen && reminder.doseId !== null ? (
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
