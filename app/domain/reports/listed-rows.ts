/** Rows that one section of a report lists; the figures above count all. */
export const MAX_LISTED = 1000;

/** What stands above a section that has more rows than it lists; null when it lists all. */
export function cappedNote(listed: number, total: number): string | null {
  if (total <= listed) return null;
  return `The latest ${listed} of ${total} are listed. The totals include all; choose a shorter period to see the others.`;
}
