import type { SubmissionResult } from '@conform-to/react';
import { saveTemplateSchema } from '#app/domain/schedules/schedule-template-schema.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Measured } from '#app/ui/figure.tsx';

/** A template as the page shows it. */
interface ShownTemplate {
  id: string;
  title: string;
  words: string;
  /** The sources of a built-in template; empty for the user's own. */
  sources: readonly string[];
}

/** The user's own templates, then the built-in ones. */
export function TemplateLists({
  own,
  builtIn,
}: {
  own: readonly ShownTemplate[];
  builtIn: readonly ShownTemplate[];
}) {
  return (
    <>
      <section aria-labelledby="own-title">
        <h2 id="own-title">Your templates</h2>
        {own.length > 0 ? (
          <ul className="schedule-list">
            {own.map((template) => (
              <Row key={template.id} {...template} isOwn />
            ))}
          </ul>
        ) : (
          <p className="text-soft">None yet. Open a schedule and choose “Save as template” to reuse it.</p>
        )}
      </section>
      <section aria-labelledby="built-in-title">
        <h2 id="built-in-title">Research reference</h2>
        <p className="max-w-prose text-soft">
          Figures from the named sources, not a recommendation for you. Using one fills in the form; nothing
          is saved until you confirm.
        </p>
        <ul className="schedule-list">
          {builtIn.map((template) => (
            <Row key={template.id} {...template} isOwn={false} />
          ))}
        </ul>
      </section>
    </>
  );
}

function Row({ id, title, words, sources, isOwn }: ShownTemplate & { isOwn: boolean }) {
  return (
    <li>
      <h3 className="break-words">{title}</h3>
      <p>
        <Measured text={words} />
      </p>
      {sources.length > 0 ? (
        <Disclosure summary={`Sources for ${title}`}>
          <ul className="list-disc ps-5">
            {sources.map((source) => (
              <li key={source}>
                <Measured text={source} />
              </li>
            ))}
          </ul>
        </Disclosure>
      ) : null}
      <div className="flex flex-wrap gap-3 pt-1">
        <LinkButton
          to={`/dashboard/schedule/new?template=${encodeURIComponent(id)}`}
          aria-label={`Use ${title}`}
        >
          Use
        </LinkButton>
        {isOwn ? (
          <LinkButton
            to={`/dashboard/schedule/templates/${id}/delete`}
            variant="plain"
            aria-label={`Delete ${title}`}
          >
            Delete
          </LinkButton>
        ) : null}
      </div>
    </li>
  );
}

interface TemplateFormProps {
  action: string;
  cancelHref: string;
  title: string;
  saveKey: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Saving a schedule as a template. */
export function TemplateForm({ action, cancelHref, title, saveKey, lastResult }: TemplateFormProps) {
  const [form, fields] = useSchemaForm('template', saveTemplateSchema, {
    lastResult,
    defaultValue: { title },
  });
  return (
    <SchemaForm form={form} action={action} className="grid max-w-xl gap-4">
      <input type="hidden" name="saveKey" value={saveKey} />
      <Field {...fieldProps(fields.title)} label="Template name" autoComplete="off" />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary">Save template</Button>
        <LinkButton to={cancelHref} variant="plain">
          Cancel
        </LinkButton>
      </div>
    </SchemaForm>
  );
}
