import { Form } from '@remix-run/react';
import type { FormEvent, ReactNode } from 'react';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';

interface SchemaFormProps {
  /** The form that `useSchemaForm` returned. */
  form: {
    id: string;
    errorId: string;
    errors: readonly string[] | undefined;
    allErrors: Readonly<Record<string, readonly string[] | null | undefined>>;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  };
  /** Where it is sent; the page's own address unless given. */
  action?: string | undefined;
  /** Shown above the messages about the form as a whole. */
  intro?: ReactNode;
  /** Messages about the form as a whole, where they are not the form's own. */
  errors?: readonly string[] | undefined;
  /** The `id` of a control by its name, where that is not the form library's. */
  idOf?: (name: string) => string;
  preventScrollReset?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * The frame of every form that is held to a schema: sent by POST, checked by our schema instead of by the browser, with
 * what is wrong with the form as a whole, and links to the fields to fix, above them.
 */
export function SchemaForm({
  form,
  action,
  intro,
  errors = form.errors,
  idOf = (name) => `${form.id}-${name}`,
  preventScrollReset,
  className = 'grid grid-cols-[minmax(0,1fr)] gap-4',
  children,
}: SchemaFormProps) {
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      preventScrollReset={preventScrollReset}
      className={className}
    >
      {intro}
      <ErrorSummary id={form.errorId} errors={errors} fields={fieldsToFix(form.allErrors, idOf)} />
      {children}
    </Form>
  );
}
