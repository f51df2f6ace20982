import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { deleteAccountSchema } from '#app/domain/accounts/account-deletion-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** Said while a deletion is under way, with the way back. @param props.at when, as text */
export function DeletionNotice({ at }: { at: string }) {
  return (
    <Notice
      tone="warning"
      role="status"
      title={`This account will be deleted on ${at}`}
      actions={
        <Form method="post" action="/dashboard/profile/keep">
          <Button>Keep the account</Button>
        </Form>
      }
    >
      <p>Until then everything works as before. You may still download your data.</p>
    </Notice>
  );
}

/** The step before an account goes: its address, typed. */
export function DeleteForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null }) {
  const [form, fields] = useSchemaForm('delete-account', deleteAccountSchema, { lastResult });
  return (
    <Form method="post" id={form.id} onSubmit={form.onSubmit} noValidate className="grid gap-4">
      <p>
        After 48 hours the account and everything in it is gone: calculations, sessions, settings, images. A
        running subscription ends with it. Until then you can change your mind.
      </p>
      <p className="text-soft">
        What has to be kept, who did what to the account and what was paid, names you by a number that then
        leads nowhere.
      </p>
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <Field
        {...keptField(fields.email)}
        label="Email of this account"
        type="email"
        autoComplete="off"
        hint="Type it, so that this does not happen by accident."
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="danger">Delete this account</Button>
        <LinkButton to="/dashboard/profile">Keep it</LinkButton>
      </div>
    </Form>
  );
}
