import { Form } from '@remix-run/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import type { BadLine } from '#app/domain/vendors/vendor-schema.ts';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** What a catalogue would do. */
export interface CataloguePreview {
  added: number;
  updated: number;
  unchanged: number;
  bad: BadLine[];
  text: string;
}

interface CatalogueFormProps {
  action: string;
  values: Readonly<Record<string, string>>;
  errors: FieldErrors;
  formErrors: readonly string[];
  preview: CataloguePreview | null;
}

function Preview({ preview: { added, updated, unchanged, bad } }: { preview: CataloguePreview }) {
  return (
    <Notice title="This is what would happen" role="status" tone={bad.length > 0 ? 'warning' : 'info'}>
      <p>{`${added} new, ${updated} with a new price, ${unchanged} as before, ${bad.length} that cannot be read.`}</p>
      {bad.length > 0 ? (
        <DataTable
          caption="Lines that cannot be read"
          fixed
          rows={bad}
          rowKey={({ line }) => String(line)}
          columns={[
            { key: 'line', label: 'Line', cell: ({ line }) => line },
            { key: 'reason', label: 'Why', cell: ({ reason }) => reason },
          ]}
        />
      ) : null}
    </Notice>
  );
}

/** Bringing a supplier's price list in: a look first, then the import. */
export function CatalogueForm({ action, values, errors, formErrors, preview }: CatalogueFormProps) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name]?.[0] });
  return (
    <Form method="post" action={action} noValidate className="grid gap-4">
      <ErrorSummary errors={formErrors} />
      {preview ? <Preview preview={preview} /> : null}
      <TextArea
        key={preview ? 'read' : 'typed'}
        {...field('text')}
        defaultValue={preview?.text ?? values['text']}
        label="Catalogue"
        rows={8}
        hint="A table as text, columns set apart by comma, semicolon or tab. The first line names them: name, mg per vial, price; also form and currency."
      />
      <Field
        {...field('url')}
        label="or its address"
        type="url"
        inputMode="url"
        hint="A CSV file of the public web, at most 1 MB."
      />
      <Field
        {...field('currency')}
        label="Currency"
        defaultValue={values['currency'] ?? 'USD'}
        hint="For lines that name none."
      />
      <div className="flex flex-wrap gap-3">
        <Button variant={preview ? 'quiet' : 'primary'} name="step" value="preview">
          Look first
        </Button>
        {preview ? (
          <Button variant="primary" name="step" value="import">
            Import
          </Button>
        ) : null}
      </div>
    </Form>
  );
}
