import type { DoseStatus } from './dose-status.ts';

/**
 * How many doses were taken in a row up to now. A missed dose ends the streak. A skipped dose was left out on purpose, and one not logged yet may still be taken: neither counts nor ends the streak.
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
