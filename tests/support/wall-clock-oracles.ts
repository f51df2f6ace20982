import { RRuleTemporal } from 'rrule-temporal';

/** The first occurrences of a recurrence rule (RFC 5545), in milliseconds since 1970. */
export function byRecurrenceRule(rruleString: string): number[] {
  return new RRuleTemporal({ rruleString }).all().map(({ epochMilliseconds }) => epochMilliseconds);
}

const QUARTER_MS = 15 * 60_000;
const QUARTERS_OF_A_DAY = 96;

/**
 * Maps a day's wall times to instants by asking the runtime for the local time of every quarter-hour around
 * it: slow, but independent of the code under test. All clocks of these years change by whole quarter-hours.
 * @returns a function from `HH:mm` to milliseconds since 1970
 */
export function placedByLooking(timeZone: string, day: string): (time: string) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const begin = Date.parse(`${day}T00:00:00Z`) - QUARTER_MS * QUARTERS_OF_A_DAY;
  const seen = Array.from({ length: 3 * QUARTERS_OF_A_DAY }, (_, quarter) => {
    const at = begin + quarter * QUARTER_MS;
    return { at, local: Date.parse(`${format.format(at).replace(' ', 'T')}:00Z`) };
  });
  return (time) => {
    const expected = Date.parse(`${day}T${time}:00Z`);
    const earliest = seen.find(({ local }) => local <= expected && expected - local < QUARTER_MS);
    if (earliest !== undefined) return earliest.at + expected - earliest.local;
    const jump = seen.findIndex(({ local }) => local > expected);
    const before = seen[jump - 1];
    if (before === undefined) throw new Error('not in sight');
    return before.at + expected - before.local;
  };
}
