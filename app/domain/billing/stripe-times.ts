/** The earlier of two instants; an unknown one does not count. */
export function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a.getTime() <= b.getTime() ? a : b;
}

/** The later of two instants; an unknown one does not count. */
export function later(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a.getTime() >= b.getTime() ? a : b;
}

/** Most instants kept in a list: far above what a payment provider's retries make. */
const MOST = 64;

/** Both lists together, in order, each instant once. Of too many, the first and the last ones stay. */
export function union(a: readonly Date[], b: readonly Date[]): Date[] {
  const times = [...new Set([...a, ...b].map((date) => date.getTime()))].sort((x, y) => x - y);
  const kept = times.length <= MOST ? times : [...times.slice(0, 1), ...times.slice(1 - MOST)];
  return kept.map((time) => new Date(time));
}

/** Puts one entry among those with other ids, in the order of their ids. */
export function withEntry<T extends { id: string }>(entries: readonly T[], entry: T): T[] {
  const others = entries.filter(({ id }) => id !== entry.id);
  return [...others, entry].sort((a, b) => (a.id < b.id ? -1 : 1));
}
