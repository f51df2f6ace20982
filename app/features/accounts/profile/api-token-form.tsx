import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import type { ApiTokenLife, ApiTokenScope } from '#app/domain/accounts/api-token.ts';
import { createApiTokenSchema } from '#app/domain/accounts/api-token-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, Select } from '#app/ui/field.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Submit } from '#app/ui/submit.tsx';

const LIST = '/dashboard/profile/tokens';
const ACTION = `${LIST}/new`;

/** What a token may do, in words. */
const SCOPE_LABELS: Record<ApiTokenScope, string> = { read: 'Read', write: 'Read and write' };

const LIFE_LABELS: Record<ApiTokenLife, string> = {
  30: '30 days',
  90: '90 days',
  365: 'One year',
  never: 'No end',
};

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Making a token. */
export function ApiTokenForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null }) {
  const [form, fields] = useSchemaForm('api-token', createApiTokenSchema, {
    lastResult,
    defaultValue: { name: '', scope: 'read', life: '90' },
  });
  return (
    <Form
      method="post"
      action={ACTION}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <Field
        {...keptField(fields.name)}
        label="Name"
        autoComplete="off"
        hint="What will use it, such as the name of a script."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select {...keptField(fields.scope)} label="It may" options={optionsOf(SCOPE_LABELS)} />
        <Select {...keptField(fields.life)} label="It lasts" options={optionsOf(LIFE_LABELS)} />
      </div>
      <p className="text-soft">
        No token can change your password, address or other locks of the account, and none opens the
        administration.
      </p>
      <div className="flex flex-wrap gap-3">
        <Submit label="Make the token" pendingLabel="Making..." action={ACTION} />
        <LinkButton to={LIST}>Cancel</LinkButton>
      </div>
    </Form>
  );
}

/** A token, this once. */
export function ApiTokenSecret({ name, secret }: { name: string; secret: string }) {
  return (
    <>
      <Notice tone="warning" role="status" title="Keep this token now">
        <p>It is not shown again. Whoever has it can use the API in your name.</p>
      </Notice>
      <div>
        <p className="break-words text-sm text-soft">{name}</p>
        <p>
          <code className="figure break-all whitespace-normal">{secret}</code>
        </p>
      </div>
      <p>
        {'Programs send it with each call, in the header '}
        <code className="break-all">Authorization: Bearer</code>
        {' followed by the token.'}
      </p>
      <div className="no-print flex flex-wrap gap-3">
        <CopyButton text={secret} label="Copy the token" />
        <LinkButton to={LIST} variant="primary">
          I have kept it
        </LinkButton>
      </div>
    </>
  );
}
