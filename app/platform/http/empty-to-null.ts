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
