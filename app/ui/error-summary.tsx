import { useEffect, useRef } from 'react';
import { Notice } from './notice.tsx';

interface ErrorSummaryProps {
  /** Messages about the form as a whole; a field's own message stands at the field. */
  errors: readonly string[] | undefined;
  id?: string;
}

/**
 * What went wrong with the form that was just sent, announced at once. It takes the focus, unless a field of the form
 * has a message of its own: that one is next to be mended.
 */
export function ErrorSummary({ errors, id }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = box.current?.closest('form');
    if (!form?.querySelector('[aria-invalid="true"]')) box.current?.focus();
  }, [errors]);
  if (!errors || errors.length === 0) return null;
  return (
    <div ref={box} id={id} tabIndex={-1}>
      <Notice tone="error" role="alert">
        {errors.map((error) => (
          <p key={error} className="font-semibold">
            {error}
          </p>
        ))}
      </Notice>
    </div>
  );
}
