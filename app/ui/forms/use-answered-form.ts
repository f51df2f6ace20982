import type { SubmissionResult } from '@conform-to/react';
import { useEffect } from 'react';
import type { FormField } from './conform-field.ts';
import type { SchemaForm } from './schema-form.tsx';

type FrameOfForm = Parameters<typeof SchemaForm>[0]['form'];

/** Nothing is checked here before it is sent. */
const sendAsItIs = (): undefined => undefined;

/**
 * A form that only the server checks: the small sister of `useSchemaForm`, for the pages that people see first. It
 * loads neither the form library nor the schemas, and shows the same messages one answer later.
 * @param id tells the forms of a page apart
 * @param names the controls that may come back with a value or a message
 * @param lastResult the server's answer to what was sent last; the focus goes to the first field it has a message for
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
