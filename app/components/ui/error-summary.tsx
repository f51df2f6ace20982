import { Notice } from './notice.tsx';

interface ErrorSummaryProps {
  /** Messages about the form as a whole; a field's own message stands at the field. */
  errors: readonly string[] | undefined;
  id?: string;
}

/** What went wrong with the form that was just sent, announced at once. */
export function ErrorSummary({ errors, id }: ErrorSummaryProps) {
  if (!errors || errors.length === 0) return null;
  return (
    <div id={id}>
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
