import type { ReactNode } from 'react';
import { describe } from '#app/ui/field-shell.tsx';
import { LedgerRow } from './ledger-row.tsx';

interface NumberRowProps {
  name: string;
  label: string;
  /** Shown inside the field and read after its name. */
  unit?: string;
  /** A unit that can be chosen, instead of a fixed one. */
  unitSelect?: ReactNode;
  defaultValue?: string;
  error?: string;
  className?: string;
}

/** A decimal number with its unit inside the field. Text, so that "0,25" can be typed and is kept as typed. */
export function NumberRow({ name, label, unit, unitSelect, defaultValue, error, className }: NumberRowProps) {
  const unitId = `${name}-unit`;
  return (
    <LedgerRow id={name} label={label} error={error} className={className}>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="go"
        name={name}
        defaultValue={defaultValue}
        {...describe({ id: name, error }, unit && unitId)}
      />
      {unitSelect ?? (
        <span id={unitId} className="unit">
          {unit}
        </span>
      )}
    </LedgerRow>
  );
}
