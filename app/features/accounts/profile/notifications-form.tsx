import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import {
  LEAD_MINUTES,
  MISSED_AFTER_HOURS,
  type NotificationChoices,
} from '#app/domain/reminders/notification-choices.ts';
import { notificationFormSchema } from '#app/domain/reminders/notification-choices-schema.ts';
import { keptCheckbox, keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Checkbox } from '#app/ui/choice.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Submit } from '#app/ui/submit.tsx';

const ACTION = '/dashboard/profile/notifications';

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {children}
    </fieldset>
  );
}

function WholeNumber(props: {
  field: FieldMetadata<number>;
  label: string;
  hint: string;
  limits: { min: number; max: number };
}) {
  const { field, limits, ...texts } = props;
  return <Field {...keptField(field)} {...limits} {...texts} inputMode="numeric" autoComplete="off" />;
}

interface NotificationsFormProps {
  choices: NotificationChoices;
  lastResult?: SubmissionResult<string[]> | null;
}

/** How and of what somebody wants to be told. */
export function NotificationsForm({ choices, lastResult }: NotificationsFormProps) {
  const [form, fields] = useSchemaForm('notifications', notificationFormSchema, {
    lastResult,
    defaultValue: choices,
  });
  return (
    <Form
      method="post"
      action={ACTION}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-6"
    >
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <Group legend="Where">
        <Checkbox {...keptCheckbox(fields.inPage)} label="In the page, while it is open" />
        <Checkbox {...keptCheckbox(fields.push)} label="Push, also while Vialbook is closed" />
        <Checkbox {...keptCheckbox(fields.email)} label="Email" />
        <Checkbox
          {...keptCheckbox(fields.discreet)}
          label="Discreet"
          hint="Pushes and mails name no compound and no amount."
        />
      </Group>
      <Group legend="Doses">
        <Checkbox
          {...keptCheckbox(fields.repeatOverdue)}
          label="Remind again of an overdue dose until something is done about it"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <WholeNumber
            field={fields.leadDefault}
            label="Minutes of notice"
            hint="For new schedules; each can have its own."
            limits={LEAD_MINUTES}
          />
          <WholeNumber
            field={fields.missedAfterHours}
            label="Hours until missed"
            hint="After its time a dose still open counts as missed."
            limits={MISSED_AFTER_HOURS}
          />
        </div>
      </Group>
      <Group legend="Vials">
        <Checkbox {...keptCheckbox(fields.lowStock)} label="A stock runs low" />
        <Checkbox {...keptCheckbox(fields.vialExpiry)} label="A vial nears its beyond-use date" />
      </Group>
      <div>
        <Submit label="Save choices" pendingLabel="Saving..." action={ACTION} />
      </div>
    </Form>
  );
}
