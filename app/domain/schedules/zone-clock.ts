import { DAY_MS, MINUTE_MS } from '#app/domain/time/durations.ts';
import { IANAZone } from 'luxon';

/** Where a time of day falls. */
export interface Placed {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** By how much the clock jumped over it; 0 for a time that the day has. */
  readonly gapMs: number;
}

/** Turns times of day of one zone into instants. Remembers what it asked, so share it between walks of one zone. */
export interface ZoneClock {
  readonly timeZone: string;
  /** @param day see `dayNumber` @param minute minutes after midnight */
  place(day: number, minute: number): Placed;
}

interface Offsets {
  /** Offset from UTC in milliseconds at an instant. */
  at(instant: number): number;
  /** The same at midnight UTC of a day. */
  ofDay(day: number): number;
}

/**
 * Decides by "compatible" of Temporal (TC39 proposal, `disambiguation`): the earlier of two instants; a time that was
 * jumped over is as far after the jump as it would have been after its beginning, so 02:30 becomes 03:30.
 * luxon itself answers a time that exists twice by the offset of the present day, which no result may depend on.
 */
function placeNearChange(local: number, offsets: readonly number[], offsetAt: Offsets['at']): Placed {
  const fits = offsets.filter((offset) => offsetAt(local - offset) === offset);
  if (fits.length > 0) return { at: local - Math.max(...fits), gapMs: 0 };
  for (const [index, before] of offsets.entries()) {
    const after = offsets[index + 1] ?? before;
    if (after > before && offsetAt(local - after) === before)
      return { at: local - before, gapMs: after - before };
  }
  return { at: local - (offsets[0] ?? 0), gapMs: 0 };
}

function offsetsOf(zone: IANAZone): Offsets {
  const known = new Map<number, number>();
  const at = (instant: number) => Math.round(zone.offset(instant) * MINUTE_MS);
  return {
    at,
    ofDay(day) {
      const remembered = known.get(day);
      if (remembered !== undefined) return remembered;
      const offset = at(day * DAY_MS);
      known.set(day, offset);
      return offset;
    },
  };
}

/** The clock of an IANA zone. Its rules are those this runtime knows. */
export function zoneClock(timeZone: string): ZoneClock {
  const { at, ofDay } = offsetsOf(IANAZone.create(timeZone));
  return {
    timeZone,
    place(day, minute) {
      const local = day * DAY_MS + minute * MINUTE_MS;
      // No zone is more than a day from UTC: the instant lies between the midnights before and after the next ones.
      const offsets = [ofDay(day - 1), ofDay(day), ofDay(day + 1), ofDay(day + 2)];
      const [first = 0] = offsets;
      if (offsets.every((offset) => offset === first)) return { at: local - first, gapMs: 0 };
      return placeNearChange(local, [...new Set(offsets)], at);
    },
  };
}
