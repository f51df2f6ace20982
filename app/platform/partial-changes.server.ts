/**
 * What a form that shows all fields of something wants changed: a field left empty takes its value out, where a call
 * that does not name it leaves it alone.
 */
export function cleared<T extends object, Name extends keyof T>(
  input: T,
  names: readonly Name[],
): Omit<T, Name> & { [K in Name]: Exclude<T[K], undefined> | null } {
  const emptied = names.map((name) => [name, input[name] ?? null]);
  return { ...input, ...(Object.fromEntries(emptied) as { [K in Name]: Exclude<T[K], undefined> | null }) };
}

/** The values of an object that are not undefined: what a call wants changed. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
