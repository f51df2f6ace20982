import { IANAZone } from 'luxon';
import { DAY_MS, MINUTE_MS } from './durations.ts';

/** What is known of a zone. Node's own answer takes several microseconds, and a page asks thousands of times. */
interface KnownZone {
  zone: IANAZone;
  /** Offsets in minutes by day since 1970, in UTC; null for a day on which clocks are changed. */
  days: Map<number, number | null>;
}

const known = new Map<string, KnownZone | null>();

/** Neither unknown names nor instants far apart fill the memory. */
const MOST_ZONES = 100;
const MOST_DAYS = 2_000;

/** @returns null for what is no name of a zone */
function zoneOf(name: string): KnownZone | null {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MOST_ZONES) known.clear();
  const zone = IANAZone.isValidZone(name) ? { zone: IANAZone.create(name), days: new Map() } : null;
  known.set(name, zone);
  return zone;
}

/** Nowhere have clocks been changed twice within a day since 1970: a day that ends as it began is of one piece. */
function offsetAt({ zone, days }: KnownZone, at: number): number {
  const day = Math.floor(at / DAY_MS);
  if (day < 0) return zone.offset(at);
  let offset = days.get(day);
  if (offset === undefined) {
    const first = zone.offset(day * DAY_MS);
    offset = first === zone.offset((day + 1) * DAY_MS) ? first : null;
    if (days.size >= MOST_DAYS) days.clear();
    days.set(day, offset);
  }
  return offset ?? zone.offset(at);
}

/**
 * What clocks of a zone show at an instant: "2026-03-09T08:30:15.123Z", where the Z means nothing.
 * @returns null for an unknown zone, no instant, and years that do not have four digits
 */
export function wallClock(instant: Date, timeZone: string): string | null {
  const at = instant.getTime();
  const zone = Number.isNaN(at) ? null : zoneOf(timeZone);
  if (zone === null) return null;
  const shown = new Date(at + Math.round(offsetAt(zone, at) * MINUTE_MS));
  return isFourDigitYear(shown) ? shown.toISOString() : null;
}

/** True for an instant whose ISO form begins with the four digits of its year in UTC. */
export function isFourDigitYear(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 0 && year <= 9999;
}
