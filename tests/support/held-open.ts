/** What the tests of a file look through at a data directory beside its server: opened once, as opening takes longest. */
const held = new Map<string, Promise<{ close(): Promise<unknown> }>>();

/** What was opened under this name before, or else what `open` gives. It is closed after the tests of the file (`close-held.ts`). */
export function heldOpen<T extends { close(): Promise<unknown> }>(
  name: string,
  open: () => Promise<T>,
): Promise<T> {
  const known = held.get(name) as Promise<T> | undefined;
  const opened = known ?? open();
  held.set(name, opened);
  return opened;
}

/** Closes all of it, before a data directory is taken away. */
export async function closeHeld(): Promise<void> {
  const all = [...held.values()];
  held.clear();
  await Promise.all(all.map(async (opened) => (await opened).close()));
}
