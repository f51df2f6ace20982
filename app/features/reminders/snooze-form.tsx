import { Form } from '@remix-run/react';
import { SNOOZE_MINUTES } from '#app/domain/reminders/reminder-stages.ts';
import { Button } from '#app/ui/button.tsx';
import { Select } from '#app/ui/fields.tsx';

interface SnoozeFormProps {
  /** Name and value of the field that tells the action what to do. */
  intent: readonly [name: string, value: string];
  action?: string;
  /** Distinguishes the fields of several forms on a page. */
  id?: string;
  error?: string;
}

const OPTIONS = SNOOZE_MINUTES.map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` }));

export function SnoozeForm({ intent: [name, value], action, id = 'snooze', error }: SnoozeFormProps) {
  return (
    <Form method="post" action={action} className="flex flex-wrap items-end gap-3">
      <input type="hidden" name={name} value={value} />
      <div className="min-w-36">
        <Select
          label="Remind me again in"
          name="minutes"
          id={`${id}-minutes`}
          options={OPTIONS}
          defaultValue="10"
          error={error}
        />
      </div>
      <Button>Snooze</Button>
    </Form>
  );
}
