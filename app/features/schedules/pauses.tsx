import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { pauseSchema } from '#app/domain/schedules/pause-schema.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { scheduleHref } from './schedule-list.tsx';

interface ShownPause {
  firstDay: string;
  lastDay: string;
  /** "3 May 2026 – 17 May 2026" */
  text: string;
  hasBegun: boolean;
}

interface PausesProps {
  id: string;
  /** YYYY-MM-DD in the schedule's zone. */
  today: string;
  /** Current and future pauses. */
  pauses: readonly ShownPause[];
  /** The pause that the form changes; null if it adds one. */
  changed: ShownPause | null;
  lastResult?: SubmissionResult<string[]> | null;
}

/** The planned pauses of a schedule, with a form to add or change one. */
export function Pauses({ id, pauses, ...form }: PausesProps) {
  const path = `${scheduleHref(id)}/pauses`;
  return (
    <div className="grid gap-5">
      <p className="max-w-prose">
        No doses are due on these days, and none count as missed. The schedule resumes by itself after the
        last day. Doses you’ve logged stay.
      </p>
      {pauses.length > 0 ? (
        <section aria-labelledby="planned-pauses" className="sheet p-4">
          <h2 id="planned-pauses">Planned pauses</h2>
          <ul>
            {pauses.map(({ firstDay, text, hasBegun }) => (
              <li key={firstDay} className="flex flex-wrap items-center justify-between gap-3 py-2">
                <span>{text}</span>
                <span className="flex flex-wrap gap-3">
                  <LinkButton to={`${path}?pause=${firstDay}`} aria-label={`Change the pause ${text}`}>
                    Change
                  </LinkButton>
                  <Form method="post" action={path}>
                    <input type="hidden" name="pause" value={firstDay} />
                    <Button
                      name="intent"
                      value="end"
                      aria-label={`${hasBegun ? 'End' : 'Remove'} the pause ${text}`}
                    >
                      {hasBegun ? 'End now' : 'Remove'}
                    </Button>
                  </Form>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <PauseForm key={form.changed?.firstDay ?? 'new'} id={id} path={path} {...form} />
    </div>
  );
}

type PauseFormProps = Omit<PausesProps, 'pauses'> & { path: string };

function PauseForm({ id, path, today, changed, lastResult = null }: PauseFormProps) {
  const [form, fields] = useSchemaForm('pause', pauseSchema, {
    lastResult,
    defaultValue: { firstDay: changed?.firstDay ?? today, lastDay: changed?.lastDay ?? '' },
  });
  return (
    <section aria-labelledby="pause-form" className="max-w-xl">
      <h2 id="pause-form" className="pb-3">
        {changed === null ? 'New pause' : `Change ${changed.text}`}
      </h2>
      <SchemaForm form={form} action={changed === null ? path : `${path}?pause=${changed.firstDay}`}>
        {changed === null ? null : <input type="hidden" name="pause" value={changed.firstDay} />}
        <Field
          {...fieldProps(fields.firstDay)}
          label="First day"
          type="date"
          readOnly={changed !== null && changed.firstDay < today}
        />
        <Field {...fieldProps(fields.lastDay)} label="Last day" type="date" />
        <div className="flex flex-wrap gap-3">
          <Button variant="primary">Save pause</Button>
          <LinkButton to={changed === null ? scheduleHref(id) : path} variant="plain">
            Cancel
          </LinkButton>
        </div>
      </SchemaForm>
    </section>
  );
}
