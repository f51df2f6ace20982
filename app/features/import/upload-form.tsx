import { Form } from '@remix-run/react';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { describe, FieldShell } from '#app/ui/field-shell.tsx';
import { Submit } from '#app/ui/submit.tsx';

const ACTION = '/dashboard/import?index';

/** Where a file is chosen. Nothing is saved by sending it. */
export function UploadForm({ error }: { error?: string | undefined }) {
  const texts = {
    id: 'file',
    label: 'File',
    hint: 'CSV or JSON, at most 32 MB and 100,000 records. It is only checked first; nothing is saved yet.',
    ...(error === undefined ? {} : { error }),
  };
  return (
    <Form
      method="post"
      action={ACTION}
      encType="multipart/form-data"
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <ErrorSummary errors={error === undefined ? [] : [error]} />
      <FieldShell {...texts}>
        <input
          type="file"
          name="file"
          accept=".json,.csv,application/json,text/csv"
          {...describe(texts)}
          className="w-full py-2"
        />
      </FieldShell>
      <div>
        <Submit label="Check file" pendingLabel="Checking..." action={ACTION} variant="primary" />
      </div>
    </Form>
  );
}
