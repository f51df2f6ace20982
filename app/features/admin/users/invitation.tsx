import type { SubmissionResult } from '@conform-to/react';
import { inviteSchema } from '#app/domain/accounts/account-schema.ts';
import { plural } from '#app/domain/text/plural.ts';
import { Button, CopyButton, LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Notice } from '#app/ui/notice.tsx';

const USERS = '/admin/dashboard/users';

/** Asks whom to invite. */
export function InviteForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null | undefined }) {
  const [form, fields] = useSchemaForm('invite', inviteSchema, { lastResult });
  return (
    <div className="sheet max-w-2xl p-5">
      <SchemaForm form={form} intro={<p>They get a link to create an account. It works once.</p>}>
        <Field {...fieldProps(fields.email)} label="Email" type="email" autoComplete="off" />
        <div className="flex flex-wrap gap-3">
          <Button variant="primary">Invite</Button>
          <LinkButton to={USERS}>Cancel</LinkButton>
        </div>
      </SchemaForm>
    </div>
  );
}

/** A new invitation's link, shown once. */
export function InvitationLink({ email, link, days }: { email: string; link: string; days: number }) {
  return (
    <div className="grid max-w-2xl gap-4">
      <Notice tone="info" role="status" title={`${email} is invited`}>
        <p>
          {`The link was mailed to them and works once, within ${plural(days, 'day')}. If this server sends no mail, pass it on yourself: it will not be shown again.`}
        </p>
      </Notice>
      <p>
        <code className="figure break-all whitespace-normal">{link}</code>
      </p>
      <div className="no-print flex flex-wrap gap-3">
        <CopyButton text={link} label="Copy link" />
        <LinkButton to={USERS} variant="primary">
          All users
        </LinkButton>
      </div>
    </div>
  );
}
