import type { ReactNode } from 'react';

export interface FieldTexts {
  /** The `id` of the control. Hint and error take theirs from it. */
  id: string;
  label: string;
  hint?: string;
  error?: string;
}

export const hintId = (id: string) => `${id}-hint`;
export const errorId = (id: string) => `${id}-error`;

/** The attributes that tie a control to its hint, error and unit. */
export function describe({ id, hint, error }: Omit<FieldTexts, 'label'>, ...more: (string | undefined)[]) {
  const ids = [error && errorId(id), hint && hintId(id), ...more].filter(Boolean);
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
  };
}

/** A field's error in words, with a shape beside the colour. */
export function FieldError({ id, error }: { id: string; error: string }) {
  return (
    <p id={errorId(id)} className="message-error mt-1 text-sm">
      <svg
        aria-hidden="true"
        width="16"
        height="20"
        viewBox="0 0 16 20"
        className="shrink-0"
        fill="currentColor"
      >
        <path d="M8 3a7 7 0 1 0 0 14A7 7 0 0 0 8 3zm-1 3h2v5H7zm0 6h2v2H7z" />
      </svg>
      {error}
    </p>
  );
}

export function FieldHint({ id, hint }: { id: string; hint: string }) {
  return (
    <p id={hintId(id)} className="mt-1 text-sm text-soft">
      {hint}
    </p>
  );
}

/** Label above, control, error, hint. */
export function FieldShell({ id, label, hint, error, children }: FieldTexts & { children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <div className="control">{children}</div>
      {error ? <FieldError id={id} error={error} /> : null}
      {hint ? <FieldHint id={id} hint={hint} /> : null}
    </div>
  );
}
