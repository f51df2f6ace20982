import { Form } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Select, TextArea } from '#app/ui/field.tsx';
import type { Option } from '#app/ui/options.tsx';
import type { Refused } from '#app/features/admin/reason-form.tsx';

/** A mail as its reader would get it. */
export interface MailShown {
  to: string;
  subject: string;
  text: string;
}

interface ContactFormProps {
  templates: readonly Option[];
  values: { template: string; note: string; saveKey: string };
  preview: MailShown | null;
  refused?: Refused | undefined;
}

/** Choosing a template, looking at the mail, sending it. What is sent is what the preview shows. */
export function ContactForm({ templates, values, preview, refused }: ContactFormProps) {
  return (
    <>
      <Form method="get" className="sheet grid max-w-2xl gap-4 p-5">
        <ErrorSummary errors={refused?.formErrors} />
        <Select
          name="template"
          label="Template"
          options={templates}
          defaultValue={values.template}
          error={refused?.errors['template']?.[0]}
        />
        <TextArea
          name="note"
          label="Add to it"
          rows={4}
          maxLength={2000}
          hint="Optional. Each line becomes a paragraph."
          defaultValue={values.note}
          error={refused?.errors['note']?.[0]}
        />
        <div>
          <Button>Preview</Button>
        </div>
      </Form>
      {preview === null ? null : (
        <section aria-labelledby="preview" className="sheet grid max-w-2xl gap-3 p-5">
          <h2 id="preview" className="text-xl">
            {preview.subject}
          </h2>
          <p className="text-sm text-soft wrap-anywhere">{`To ${preview.to}`}</p>
          <p className="wrap-anywhere whitespace-pre-wrap">{preview.text}</p>
          <Form method="post">
            <input type="hidden" name="template" value={values.template} />
            <input type="hidden" name="note" value={values.note} />
            <input type="hidden" name="saveKey" value={values.saveKey} />
            <Button variant="primary">Send</Button>
          </Form>
        </section>
      )}
    </>
  );
}
