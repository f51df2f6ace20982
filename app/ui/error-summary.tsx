import { useEffect, useRef } from 'react';
import type { SubmissionResult } from '@conform-to/react';
import { Notice } from './notice.tsx';

/** A field with a message of its own. */
interface FieldToFix {
  /** The `id` of its control. */
  id: string;
  message: string;
}

interface ErrorSummaryProps {
  /** Messages about the form as a whole; a field's own message stands at the field. */
  errors: readonly string[] | undefined;
  /** The fields to look at again, in their order. */
  fields?: readonly FieldToFix[];
  id?: string;
}

/**
 * The fields that messages are about.
 * @param errors messages by the names of controls; those under '' are about the form as a whole
 * @param idOf the `id` of a control by its name, unless that is the same
 */
export function fieldsToFix(
  errors: Readonly<Record<string, readonly string[] | string | null | undefined>>,
  idOf: (name: string) => string = (name) => name,
): FieldToFix[] {
  const first: Record<string, string> = {};
  for (const [name, messages] of Object.entries(errors)) {
    const message = [messages].flat()[0];
    // Entries of a list share its message: `times[1]` counts for `times`.
    if (name && message) first[idOf(name.replace(/\[.*/, ''))] ??= message;
  }
  return Object.entries(first).map(([id, message]) => ({ id, message }));
}

/**
 * What went wrong with the form that was just sent, announced at once, with links to the fields to look at again; the
 * message of a single one stands at the field alone. It takes the focus, unless a field of the form has a message of its own: that one is next to be mended.
 */
export function ErrorSummary({ errors = [], fields = [], id }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = box.current?.closest('form');
    if (!form?.querySelector('[aria-invalid="true"]')) box.current?.focus();
  }, [errors]);
  if (errors.length === 0 && fields.length === 0) return null;
  return (
    <div ref={box} id={id} tabIndex={-1}>
      <Notice tone="error" role="alert">
        {errors.map((error) => (
          <p key={error} className="font-semibold">
            {error}
          </p>
        ))}
        {fields.length > 0 ? (
          <nav aria-label="Fields to fix" className="error-links">
            <ul>
              {fields.map(({ id: control, message }) => (
                <li key={control}>
                  <a href={`#${control}`}>
                    {fields.length > 1 ? message : 'Please fix the highlighted field'}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ) : null}
      </Notice>
    </div>
  );
}

/** The first message of a refused form that has no fields to show it at. */
export function firstError(result: SubmissionResult<string[]> | null | undefined): string | undefined {
  return Object.values(result?.error ?? {})
    .flatMap((messages) => messages ?? [])
    .at(0);
}
