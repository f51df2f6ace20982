import type { DoseStatus } from './dose-status.ts';

/**
 * Doses taken in a row up to now. A skipped one was left out on purpose and one that is not logged yet may still be
 * taken: neither adds to the row nor ends it. A missed one ends it.
 * @param newestFirst statuses of the doses that were due, the latest first
 */
export function currentStreak(newestFirst: Iterable<DoseStatus>): number {
  let taken = 0;
  for (const status of newestFirst) {
    if (status === 'missed') break;
    if (status === 'taken') taken += 1;
  }
  return taken;
}
