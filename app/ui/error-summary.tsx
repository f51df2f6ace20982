import { Fragment, useEffect, useRef } from 'react';
import type { SubmissionResult } from '@conform-to/react';
import { Notice } from './notice.tsx';

/** A field with a message of its own. */
interface FieldToFix {
  /** The `id` of its control. */
  id: string;
  /** What it is called where several fields have the same message; by default its id. */
  name?: string;
  message: string;
}

interface ErrorSummaryProps {
  /** Messages about the form as a whole; a field's own message is shown at the field. */
  errors: readonly string[] | undefined;
  /** The fields to fix, in order. */
  fields?: readonly FieldToFix[];
  id?: string;
}

/** A control's name as people read it: "Confirm password" for `confirmPassword`. */
function wordsOf(name: string): string {
  const [plain = ''] = name.split('[');
  const words = (plain.split('.').at(-1) ?? '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The fields that messages are about.
 * @param errors messages by control name; those under '' are about the form as a whole
 * @param idOf returns the `id` of a control; by default its name
 * @param nameOf what people call a control; by default the words of its name
 */
export function fieldsToFix(
  errors: Readonly<Record<string, readonly string[] | string | null | undefined>>,
  idOf: (name: string) => string = (name) => name,
  nameOf: (name: string) => string = wordsOf,
): FieldToFix[] {
  const first: Record<string, FieldToFix> = {};
  for (const [name, messages] of Object.entries(errors)) {
    const message = [messages].flat()[0];
    // Entries of a list share its message: `times[1]` counts for `times`.
    if (!name || !message) continue;
    const id = idOf(name.replace(/\[.*/, ''));
    first[id] ??= { id, name: nameOf(name), message };
  }
  return Object.values(first);
}

/** A message that links to its field; what several fields have in common is said once, with a link to each. */
function FieldLinks({ message, fields }: { message: string; fields: readonly FieldToFix[] }) {
  if (fields.length === 1) return <a href={`#${fields[0]?.id}`}>{message}</a>;
  return (
    <>
      {`${message}: `}
      {fields.map(({ id, name = id }, index) => (
        <Fragment key={id}>
          {index > 0 ? ', ' : null}
          <a href={`#${id}`}>{name}</a>
        </Fragment>
      ))}
    </>
  );
}

/**
 * Announces what is wrong with a form that was just sent, with links to the fields to fix. The message of a single field is
 * shown only at the field. The summary takes the focus unless a field has an error: then that field does.
 */
export function ErrorSummary({ errors = [], fields = [], id }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = box.current?.closest('form');
    if (!form?.querySelector('[aria-invalid="true"]')) box.current?.focus();
  }, [errors]);
  if (errors.length === 0 && fields.length === 0) return null;
  const messages = [...new Set(fields.map(({ message }) => message))];
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
              {messages.map((message) => (
                <li key={message}>
                  <FieldLinks
                    message={fields.length > 1 ? message : 'Please fix the highlighted field'}
                    fields={fields.filter((field) => field.message === message)}
                  />
                </li>
              ))}
            </ul>
          </nav>
        ) : null}
      </Notice>
    </div>
  );
}

/** The first message of an invalid form that has no fields to show it at. */
export function firstError(result: SubmissionResult<string[]> | null | undefined): string | undefined {
  return Object.values(result?.error ?? {})
    .flatMap((messages) => messages ?? [])
    .at(0);
}
