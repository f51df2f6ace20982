import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { TextArea } from '#app/ui/fields.tsx';
import type { SentForm } from '#app/ui/forms/schema-form.tsx';

interface ReasonFormProps {
  action: string;
  button: string;
  danger?: boolean;
  /** Id of the field, for pages with several of these forms. */
  id?: string;
  refused?: SentForm | undefined;
  /** Hidden fields. */
  children?: ReactNode;
}

/** The form of an administrator's action that needs a reason. */
export function ReasonForm({ action, button, danger, id = 'reason', refused, children }: ReasonFormProps) {
  return (
    <Form method="post" action={action} className="grid max-w-xl gap-3">
      <ErrorSummary errors={refused?.formErrors} fields={fieldsToFix(refused?.errors ?? {}, () => id)} />
      {children}
      <TextArea
        id={id}
        name="reason"
        label="Reason"
        hint="Recorded in the audit trail."
        defaultValue={refused?.values['reason']}
        error={refused?.errors['reason']?.[0]}
      />
      <div>
        <Button variant={danger ? 'danger' : 'primary'}>{button}</Button>
      </div>
    </Form>
  );
}
