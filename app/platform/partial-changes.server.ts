/**
 * The changes of a form that shows all fields: an empty field clears its value. In a call, by contrast, a missing field is
 * left unchanged.
 */
export function cleared<T extends object, Name extends keyof T>(
  input: T,
  names: readonly Name[],
): Omit<T, Name> & { [K in Name]: Exclude<T[K], undefined> | null } {
  const emptied = names.map((name) => [name, input[name] ?? null]);
  return { ...input, ...(Object.fromEntries(emptied) as { [K in Name]: Exclude<T[K], undefined> | null }) };
}

/** The defined values of an object: what a call wants to change. */
export function presentFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
