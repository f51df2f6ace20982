import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { ntfyTopicSchema } from '#app/domain/reminders/ntfy.ts';
import { Button, LinkButton, Submit } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { conformField, fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';

const LIST = '/dashboard/profile/notifications';
const ACTION = `${LIST}/ntfy`;

interface Topic {
  url: string;
  hasToken: boolean;
}

function ActButton({ intent, label }: { intent: 'test' | 'remove'; label: string }) {
  return (
    <Form method="post" action={ACTION}>
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit">{label}</Button>
    </Form>
  );
}

/** The topic in the list of channels. */
export function NtfyLine({ topic }: { topic: Topic | null }) {
  return (
    <section aria-labelledby="ntfy" className="sheet mt-8 grid gap-2 p-4">
      <h2 id="ntfy">ntfy</h2>
      <p className="min-w-0 wrap-anywhere text-soft">
        {topic === null ? 'No topic is set. Nothing is sent.' : topic.url}
      </p>
      <p>
        <Link to={ACTION} className="inline-flex min-h-11 items-center">
          {topic === null ? 'Set an ntfy topic' : 'Change the ntfy topic'}
        </Link>
      </p>
    </section>
  );
}

/** Sets the topic, sends a test, or removes it. */
export function NtfyForm({
  topic,
  lastResult,
}: {
  topic: Topic | null;
  lastResult?: SubmissionResult<string[]> | null;
}) {
  const [form, fields] = useSchemaForm('ntfy', ntfyTopicSchema, {
    lastResult,
    defaultValue: { url: topic?.url ?? '' },
  });
  return (
    <>
      <SchemaForm form={form} action={ACTION}>
        <Field
          {...fieldProps(fields.url)}
          label="Address of the topic"
          type="url"
          inputMode="url"
          autoComplete="off"
          hint="Such as https://ntfy.sh/your-topic. Anyone who knows it can read what is sent there: choose a name nobody can guess, or hide compound and dose in notifications."
        />
        <Field
          {...conformField(fields.token)}
          label="Access token"
          type="password"
          autoComplete="off"
          hint={
            topic?.hasToken === true
              ? 'A token is stored. Leave this empty to keep it.'
              : 'Only if your ntfy server asks for one.'
          }
        />
        <div className="flex flex-wrap gap-3">
          <Submit label="Save topic" pendingLabel="Saving..." action={ACTION} />
          <LinkButton to={LIST}>Cancel</LinkButton>
        </div>
      </SchemaForm>
      {topic === null ? null : (
        <div className="flex flex-wrap gap-3">
          <ActButton intent="test" label="Send a test message" />
          <ActButton intent="remove" label="Remove the topic" />
        </div>
      )}
    </>
  );
}
