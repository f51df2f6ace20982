import type { ReactNode } from 'react';
import { FieldError } from '#app/ui/field-shell.tsx';

interface LedgerRowProps {
  id: string;
  label: string;
  error?: string;
  /** Which ways of solving read this field, as `for-…` classes; all when absent. */
  className?: string;
  children: ReactNode;
}

/** A line of the ledger: what it is on the left, what was written on the right, the error under both. */
export function LedgerRow({ id, label, error, className = '', children }: LedgerRowProps) {
  return (
    <div className={`ledger-row ${className}`}>
      <label htmlFor={id}>{label}</label>
      <div className="control control-figure">{children}</div>
      {error ? (
        <div className="col-span-2">
          <FieldError id={id} error={error} />
        </div>
      ) : null}
    </div>
  );
}
