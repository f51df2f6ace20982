import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { saveTemplateSchema } from '#app/domain/schedules/schedule-template-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';

interface TemplateFormProps {
  action: string;
  cancelHref: string;
  title: string;
  saveKey: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Keeping a schedule as a template under a name. */
export function TemplateForm({ action, cancelHref, title, saveKey, lastResult }: TemplateFormProps) {
  const [form, fields] = useSchemaForm('template', saveTemplateSchema, {
    lastResult,
    defaultValue: { title },
  });
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid max-w-xl gap-4"
    >
      <input type="hidden" name="saveKey" value={saveKey} />
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <Field {...keptField(fields.title)} label="Name of the template" maxLength={100} autoComplete="off" />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary">Save template</Button>
        <LinkButton to={cancelHref} variant="plain">
          Cancel
        </LinkButton>
      </div>
    </Form>
  );
}
