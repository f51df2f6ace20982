/** Handles with which a test file reads a server's data directory, opened only once because opening is slow. */
const held = new Map<string, Promise<{ close(): Promise<unknown> }>>();

/** Returns what was opened under this name, or opens it. It is closed after the file's tests (`close-held.ts`). */
export function heldOpen<T extends { close(): Promise<unknown> }>(
  name: string,
  open: () => Promise<T>,
): Promise<T> {
  const known = held.get(name) as Promise<T> | undefined;
  const opened = known ?? open();
  held.set(name, opened);
  return opened;
}

/** Closes all handles, before a data directory is removed. */
export async function closeHeld(): Promise<void> {
  const all = [...held.values()];
  held.clear();
  await Promise.all(all.map(async (opened) => (await opened).close()));
}
