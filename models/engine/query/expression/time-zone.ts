import { EngineError } from '../../errors.ts';

/** How far a place's clock is ahead of UTC. */
export interface TimeZone {
  /** The name or offset as it was given. */
  id: string;
  /** Milliseconds to add to UTC to get local time at an instant. */
  offsetAt(utc: number): number;
}

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const DAY = 86_400_000;

/** Coordinated universal time. */
export const UTC: TimeZone = { id: 'UTC', offsetAt: () => 0 };

function unrecognized(id: string): EngineError {
  return new EngineError(40485, `unrecognized time zone identifier: "${id}"`);
}

function fixedOffset(id: string): TimeZone | undefined {
  const found = /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(id);
  if (!found) return undefined;
  const offset = (Number(found[2]) * 60 + Number(found[3] ?? 0)) * MINUTE * (found[1] === '-' ? -1 : 1);
  return { id, offsetAt: () => offset };
}

function offsetFrom(format: Intl.DateTimeFormat, utc: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(utc)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  return local.getTime() - Math.floor(utc / 1000) * 1000;
}

/** A zone of the time zone database. Offsets are kept by quarter of an hour, because asking for one is slow. */
function namedZone(id: string): TimeZone {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: id,
      hourCycle: 'h23',
      era: undefined,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw unrecognized(id);
  }
  const known = new Map<number, number>();
  return {
    id,
    offsetAt(utc) {
      const quarter = Math.floor(utc / QUARTER);
      let offset = known.get(quarter);
      if (offset === undefined) {
        offset = offsetFrom(format, quarter * QUARTER);
        if (known.size > 100_000) known.clear();
        known.set(quarter, offset);
      }
      return offset;
    },
  };
}

const zones = new Map<string, TimeZone>();

/**
 * The zone of an identifier: `UTC`, `+hh`, `+hhmm`, `+hh:mm`, or a name such as `Europe/Berlin`.
 * @throws EngineError 40485
 */
export function timeZone(id: string): TimeZone {
  if (id === 'UTC' || id === 'GMT' || id === 'Z') return UTC;
  const known = zones.get(id);
  if (known) return known;
  if (!/^[A-Za-z+-][\w+/:-]*$/.test(id)) throw unrecognized(id);
  const made = fixedOffset(id) ?? namedZone(id);
  if (zones.size > 1000) zones.clear();
  zones.set(id, made);
  return made;
}

/** The local clock of an instant, as milliseconds that read like UTC. */
export function toLocal(utc: number, zone: TimeZone): number {
  return utc + zone.offsetAt(utc);
}

/**
 * The instant of a local time. A time that occurs twice is its first occurrence; one that is skipped is moved forward by
 * what is skipped.
 */
export function toUtc(local: number, zone: TimeZone): number {
  const before = zone.offsetAt(local - DAY);
  const early = local - before;
  if (zone.offsetAt(early) === before) return early;
  const after = zone.offsetAt(local + DAY);
  return zone.offsetAt(local - after) === after ? local - after : early;
}
