import { Form } from '@remix-run/react';
import { ErrorSummary } from './error-summary.tsx';
import { describe, FieldShell } from './fields.tsx';
import { Submit } from './button.tsx';

interface UploadFormProps {
  action: string;
  /** Name of the file field. */
  name: string;
  label: string;
  hint: string;
  /** Accepted media types. */
  accept: string;
  button: string;
  error?: string;
}

/** A form that sends one file. */
export function UploadForm({ action, name, label, hint, accept, button, error }: UploadFormProps) {
  const texts = { id: name, label, hint, ...(error ? { error } : {}) };
  return (
    <Form
      method="post"
      action={action}
      encType="multipart/form-data"
      className="no-print mt-4 grid max-w-xl grid-cols-[minmax(0,1fr)] gap-3"
    >
      {error ? <ErrorSummary errors={[]} fields={[{ id: name, message: error }]} /> : null}
      <FieldShell {...texts}>
        <input type="file" name={name} accept={accept} {...describe(texts)} className="w-full py-2" />
      </FieldShell>
      <div>
        <Submit label={button} pendingLabel="Adding..." action={action} variant="quiet" />
      </div>
    </Form>
  );
}
