import type { SubmissionResult } from '@conform-to/react';
import { deleteAccountSchema } from '#app/domain/accounts/account-schema.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSite } from '#app/ui/site.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';

/** The form that schedules the deletion: the owner types the account's address. */
export function DeleteForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null }) {
  const { isSelling } = useSite();
  const [form, fields] = useSchemaForm('delete-account', deleteAccountSchema, { lastResult });
  const intro = (
    <>
      <p>
        After 48 hours your account and everything in it will be deleted: calculations, sessions, settings,
        images. {isSelling ? 'If you have a subscription, it ends too. ' : ''}Until then you can change your
        mind.
      </p>
      <p className="text-soft">
        {isSelling
          ? 'Some records must be kept: who did what to the account, and what was paid. '
          : 'Some records must be kept: who did what to the account. '}
        They identify you only by a number that can no longer be traced to you.
      </p>
    </>
  );
  return (
    <SchemaForm form={form} intro={intro}>
      <Field
        {...fieldProps(fields.email)}
        label="Email of this account"
        type="email"
        autoComplete="off"
        hint="Type it to confirm that you mean this account."
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="danger">Delete this account</Button>
        <LinkButton to="/dashboard/profile/your-data">Keep it</LinkButton>
      </div>
    </SchemaForm>
  );
}
