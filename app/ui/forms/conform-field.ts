import type { FieldMetadata } from '@conform-to/react';

/**
 * A form library's field as props of ours. No default value: the caller decides what may come back (secrets may not).
 */
export function conformField(field: FieldMetadata<unknown>) {
  return { id: field.id, name: field.name, error: field.errors?.[0] };
}

/** The same for a field whose value comes back. */
export function keptField(field: FieldMetadata<unknown>) {
  const value = field.initialValue;
  return { ...conformField(field), defaultValue: typeof value === 'string' ? value : undefined };
}

/** The same for a checkbox: "on" when it was ticked. */
export function keptCheckbox(field: FieldMetadata<unknown>) {
  return { ...conformField(field), defaultChecked: field.initialValue === 'on' };
}
