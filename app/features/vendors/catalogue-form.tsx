import { Form } from '@remix-run/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import type { BadLine } from '#app/domain/vendors/vendor-schema.ts';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, TextArea } from '#app/ui/fields.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** What importing a catalogue would do. */
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

/** Imports a supplier's price list: first a preview, then the import. */
export function CatalogueForm({ action, values, errors, formErrors, preview }: CatalogueFormProps) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name]?.[0] });
  return (
    <Form method="post" action={action} noValidate className="grid gap-4">
      <ErrorSummary errors={formErrors} fields={fieldsToFix(errors)} />
      {preview ? (
        <Notice title="Preview" role="status" tone={preview.bad.length > 0 ? 'warning' : 'info'}>
          <p>{`${preview.added} new, ${preview.updated} with a new price, ${preview.unchanged} unchanged, ${preview.bad.length} unreadable.`}</p>
          {preview.bad.length > 0 ? (
            <DataTable
              caption="Unreadable lines"
              fixed
              rows={preview.bad}
              rowKey={({ line }) => String(line)}
              columns={[
                { key: 'line', label: 'Line', cell: ({ line }) => line },
                { key: 'reason', label: 'Reason', cell: ({ reason }) => reason },
              ]}
            />
          ) : null}
        </Notice>
      ) : null}
      <TextArea
        key={preview ? 'read' : 'typed'}
        {...field('text')}
        defaultValue={preview?.text ?? values['text']}
        label="Catalogue"
        rows={8}
        hint="A text table with columns separated by commas, semicolons or tabs. The first line names the columns: name, mg per vial and price; form and currency are optional."
      />
      <Field
        {...field('url')}
        label="or its web address"
        type="url"
        inputMode="url"
        hint="A public CSV file, at most 1 MB."
      />
      <Field
        {...field('currency')}
        label="Currency"
        defaultValue={values['currency'] ?? 'USD'}
        hint="For lines without a currency."
      />
      <div className="flex flex-wrap gap-3">
        <Button variant={preview ? 'quiet' : 'primary'} name="step" value="preview">
          Preview
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
