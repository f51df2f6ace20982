import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import {
  notificationFormSchema,
  type NotificationChoices,
} from '#app/domain/reminders/notification-choices.ts';
import { checkboxProps, fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Checkbox, Field } from '#app/ui/fields.tsx';
import { Submit } from '#app/ui/button.tsx';

const ACTION = '/dashboard/profile/notifications';

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {children}
    </fieldset>
  );
}

function WholeNumber(props: { field: FieldMetadata<number | undefined>; label: string; hint?: string }) {
  const { field, ...texts } = props;
  return <Field {...fieldProps(field)} {...texts} inputMode="numeric" autoComplete="off" />;
}

interface NotificationsFormProps {
  /** The form's action, if not the profile's. */
  action?: string;
  /** Where the ntfy topic is set, relative to the form. */
  topicPlace?: string;
  choices: NotificationChoices;
  lastResult?: SubmissionResult<string[]> | null;
}

/** What users are notified of, and where. */
export function NotificationsForm({
  action = ACTION,
  topicPlace = 'below',
  choices,
  lastResult,
}: NotificationsFormProps) {
  const [form, fields] = useSchemaForm('notifications', notificationFormSchema, {
    lastResult,
    defaultValue: choices,
  });
  return (
    <SchemaForm form={form} action={action} className="grid gap-6">
      <Group legend="Where">
        <Checkbox {...checkboxProps(fields.inPage)} label="On the page, while it is open" />
        <Checkbox {...checkboxProps(fields.push)} label="Push, even while Vialbook is closed" />
        <Checkbox {...checkboxProps(fields.email)} label="Email" />
        <Checkbox {...checkboxProps(fields.ntfy)} label={`ntfy, once a topic is set ${topicPlace}`} />
        <Checkbox {...checkboxProps(fields.discreet)} label="Hide compound and dose in notifications" />
        <WholeNumber
          field={fields.escalateAfterMinutes}
          label="If no device shows a push, use ntfy or email after (minutes)"
          hint="For due and overdue doses, on channels that are on above. 0 to turn it off."
        />
      </Group>
      <Group legend="Doses">
        <Checkbox
          {...checkboxProps(fields.repeatOverdue)}
          label="Keep reminding me of an overdue dose until I log or skip it"
        />
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <WholeNumber
            field={fields.leadDefault}
            label="Remind me before (minutes)"
            hint="For new schedules. Each schedule can have its own."
          />
          <WholeNumber field={fields.missedAfterHours} label="Mark as missed after (hours)" />
        </div>
      </Group>
      <Group legend="Quiet hours">
        <div className="grid grid-cols-2 gap-4">
          <Field {...fieldProps(fields.quietFrom)} label="From" type="time" />
          <Field {...fieldProps(fields.quietTo)} label="To" type="time" />
        </div>
        <p className="text-sm text-soft">
          In your time zone. Reminders appear in the bell and aren’t sent, not even later. Those that fall
          after the end are sent.
        </p>
        <Checkbox
          {...checkboxProps(fields.urgentOverdue)}
          label="Overdue doses are urgent: send them even then"
        />
      </Group>
      <Group legend="Vials">
        <Checkbox {...checkboxProps(fields.lowStock)} label="Stock is running low" />
        <Checkbox {...checkboxProps(fields.vialExpiry)} label="A vial is close to its beyond-use date" />
      </Group>
      <div>
        <Submit label="Save choices" pendingLabel="Saving..." action={action} />
      </div>
    </SchemaForm>
  );
}
