/** What a field's control needs to know of its form, as form libraries say it. */
export interface FormField {
  id: string;
  name: string;
  errors?: readonly string[] | undefined;
  /** What came back from the server; an object where a field has parts. */
  initialValue?: unknown;
}

/** A form's field as props of ours. No default value: the caller decides what may come back (secrets may not). */
export function conformField(field: FormField) {
  return { id: field.id, name: field.name, error: field.errors?.[0] };
}

/** The same for a field whose value comes back. */
export function keptField(field: FormField) {
  const value = field.initialValue;
  return { ...conformField(field), defaultValue: typeof value === 'string' ? value : undefined };
}

/** The same for a checkbox: "on" when it was ticked. */
export function keptCheckbox(field: FormField) {
  return { ...conformField(field), defaultChecked: field.initialValue === 'on' };
}
