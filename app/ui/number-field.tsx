import type { ComponentProps } from 'react';
import { describe, FieldShell, type FieldTexts } from './field-shell.tsx';

type NumberFieldProps = Omit<ComponentProps<'input'>, 'id'> &
  Omit<FieldTexts, 'id'> & { name: string; id?: string; unit?: string };

/** A decimal number with its unit inside the field. Text, so that a comma stays a comma until the server reads it. */
export function NumberField({ label, hint, error, id, unit, ...input }: NumberFieldProps) {
  const texts = { id: id ?? input.name, label, hint, error };
  const unitId = `${texts.id}-unit`;
  return (
    <FieldShell {...texts}>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        {...input}
        {...describe(texts, unit && unitId)}
      />
      {unit ? (
        <span id={unitId} className="unit unit-narrow">
          {unit}
        </span>
      ) : null}
    </FieldShell>
  );
}
