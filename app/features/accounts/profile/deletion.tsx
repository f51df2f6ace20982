import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { deleteAccountSchema } from '#app/domain/accounts/account-deletion-schema.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Notice } from '#app/ui/notice.tsx';

/** On every page of the account while a deletion is scheduled, with the way back. @param props.at when, as text */
export function DeletionBar({ at }: { at: string }) {
  return (
    <div className="no-print mt-4">
      <Notice
        tone="warning"
        title={`This account will be deleted on ${at}`}
        actions={
          <Form method="post" action="/dashboard/profile/keep">
            <Button>Keep the account</Button>
          </Form>
        }
      >
        Until then everything works as before, and you can still download your data.
      </Notice>
    </div>
  );
}

/** The form that schedules the deletion: the owner types the account's address. */
export function DeleteForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null }) {
  const [form, fields] = useSchemaForm('delete-account', deleteAccountSchema, { lastResult });
  const intro = (
    <>
      <p>
        After 48 hours your account and everything in it will be deleted: calculations, sessions, settings,
        images. A running subscription ends with it. Until then you can change your mind.
      </p>
      <p className="text-soft">
        Some records have to be kept: who did what to the account, and what was paid. They name you only by a
        number that no longer leads anywhere.
      </p>
    </>
  );
  return (
    <SchemaForm form={form} intro={intro}>
      <Field
        {...keptField(fields.email)}
        label="Email of this account"
        type="email"
        autoComplete="off"
        hint="Type it to confirm that you mean this account."
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="danger">Delete this account</Button>
        <LinkButton to="/dashboard/profile">Keep it</LinkButton>
      </div>
    </SchemaForm>
  );
}
