import { Form } from '@remix-run/react';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import type { SubmissionResult } from '@conform-to/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';

/** What a control needs to know about its field, in the shape of the form library. */
export interface FormField {
  id: string;
  name: string;
  errors?: readonly string[] | undefined;
  /** The value returned by the server; an object if the field has parts. */
  initialValue?: unknown;
  /** The most characters its schema accepts. */
  maxLength?: number | undefined;
}

/** A form's field as props of our controls. Without a value, because secrets must not be returned. */
export function conformField(field: FormField) {
  return { id: field.id, name: field.name, error: field.errors?.[0] };
}

/** The same for a field that keeps its value. It takes no more than fits; a secret would be cut unseen. */
export function fieldProps(field: FormField) {
  const value = field.initialValue;
  return {
    ...conformField(field),
    maxLength: field.maxLength,
    defaultValue: typeof value === 'string' ? value : undefined,
  };
}

/** The same for a checkbox: "on" if it was ticked. */
export function checkboxProps(field: FormField) {
  return { ...conformField(field), defaultChecked: field.initialValue === 'on' };
}

/** A form that was sent: its messages and its texts, by control name. */
export interface SentForm {
  errors: FieldErrors;
  /** Messages for the whole form. */
  formErrors: readonly string[];
  values: Readonly<Record<string, string>>;
}

/**
 * The messages and the texts of a form that was sent, by the names of its controls, for pages whose controls depend on stored
 * data, such as `quantity.prod_1`.
 */
export function sentForm(lastResult: SubmissionResult<string[]> | undefined): SentForm | undefined {
  if (lastResult === undefined) return undefined;
  const values: Record<string, string> = {};
  const add = (group: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [name, value] of Object.entries(group)) {
      if (typeof value === 'string') values[`${prefix}${name}`] = value;
      else if (typeof value === 'object' && value !== null) add({ ...value }, `${prefix}${name}.`);
    }
  };
  add(lastResult.initialValue ?? {}, '');
  const messages = Object.entries(lastResult.error ?? {}).map(([name, found]) => [name, found ?? []]);
  const errors = Object.fromEntries(messages) as FieldErrors;
  return { errors, formErrors: errors[''] ?? [], values };
}

/** The text of a field in a form that was sent; empty if it had none. */
export function sentText(lastResult: SubmissionResult<string[]> | null | undefined, name: string): string {
  const value = lastResult?.initialValue?.[name];
  return typeof value === 'string' ? value : '';
}

interface SchemaFormProps {
  /** The form that `useSchemaForm` returned. */
  form: {
    id: string;
    errorId: string;
    errors: readonly string[] | undefined;
    allErrors: Readonly<Record<string, readonly string[] | null | undefined>>;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  };
  /** Where it is sent; by default the page's own address. */
  action?: string | undefined;
  /** Shown above the messages about the form as a whole. */
  intro?: ReactNode;
  /** Messages about the form as a whole; by default the form's own. */
  errors?: readonly string[] | undefined;
  /** Returns the `id` of a control; by default the form library's. */
  idOf?: (name: string) => string;
  preventScrollReset?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * The frame of every form with a schema: sent by POST, and checked by our schema instead of the browser. Errors of the whole
 * form and links to the fields to fix are shown above the fields.
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

type FrameOfForm = Parameters<typeof SchemaForm>[0]['form'];

/** Nothing is checked before it is sent. */
const sendAsItIs = (): undefined => undefined;

/**
 * A form that only the server checks: the small version of `useSchemaForm`, for the pages that people see first. It loads
 * neither the form library nor the schemas, and shows the same messages once the server has answered.
 * @param id distinguishes the forms of a page
 * @param names the controls that may have a value or a message
 * @param lastResult the server's answer to the last submission; the first field with a message is focused
 */
export function useAnsweredForm<Name extends string>(
  id: string,
  names: readonly Name[],
  lastResult: SubmissionResult<string[]> | null | undefined,
): readonly [form: FrameOfForm, fields: Readonly<Record<Name, FormField>>] {
  const { error, initialValue } = lastResult ?? {};
  useEffect(() => {
    if (!error) return;
    document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [id, error]);
  const fieldOf = (name: Name): FormField => ({
    id: `${id}-${name}`,
    name,
    errors: error?.[name] ?? undefined,
    initialValue: initialValue?.[name],
  });
  return [
    {
      id,
      errorId: `${id}-error`,
      errors: error?.[''] ?? undefined,
      allErrors: error ?? {},
      onSubmit: sendAsItIs,
    },
    Object.fromEntries(names.map((name) => [name, fieldOf(name)])) as Record<Name, FormField>,
  ];
}
