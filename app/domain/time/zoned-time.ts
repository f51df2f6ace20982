import { DateTime, IANAZone } from 'luxon';
import { isCalendarDay, DAY_MS, MINUTE_MS, parseMoment } from './calendar.ts';

/** True for a name of the IANA time zone database that this runtime knows. Offsets such as "+02:00" are not zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Names that the time zone database has replaced but runtimes still use: those with an `iana` name in CLDR.
 * Source: `backward` of the IANA database and `common/bcp47/timezone.xml` of CLDR 48.
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The current name of a zone; unchanged if it was not renamed or this runtime does not know the new name. */
export function currentZone(timeZone: string): string {
  const name = RENAMED[timeZone];
  return name !== undefined && isTimeZone(name) ? name : timeZone;
}

/** The current name of a zone as users see it: "America/New York", and "Asia/Kolkata" for "Asia/Calcutta". */
export const zoneName = (timeZone: string): string => currentZone(timeZone).replaceAll('_', ' ');

/**
 * Reads a typed zone: its name in any case, an earlier name, or just its city.
 * @returns its IANA name; null if there is none, or several places with that name
 */
export function readTimeZone(typed: string): string | null {
  const normalised = typed.trim().replace(/\s+/g, '_').toLowerCase();
  const names = [...Object.keys(RENAMED), ...Intl.supportedValuesOf('timeZone').map(currentZone), 'UTC'];
  const exact = names.find((name) => name.toLowerCase() === normalised);
  if (exact !== undefined) return exact;
  const named = names.filter((name) => name.toLowerCase().endsWith(`/${normalised}`)).map(currentZone);
  const [only = null, ...more] = new Set(named);
  if (only !== null && more.length === 0) return only;
  return isTimeZone(typed) ? typed : null;
}

/** "Buenos Aires": the last part of a zone's name. */
const cityOf = (timeZone: string): string => zoneName(timeZone.split('/').at(-1) ?? '');

/** A zone to choose from: its name, and its city with the current offset. */
export interface ZoneChoice {
  /** "America/New York" */
  value: string;
  /** "New York, UTC−05:00" */
  label: string;
}

const offsetText = (timeZone: string, now: Date): string =>
  IANAZone.create(timeZone).formatOffset(now.getTime(), 'short').replace('-', '−');

/** Clocks change on a quarter of an hour in UTC: until the next one all offsets stay as they are. */
const QUARTER_MS = 15 * MINUTE_MS;

let latestChoices: { quarter: number; choices: readonly ZoneChoice[] } | null = null;

/**
 * All zones by their current names, UTC first, each with its offset at an instant. Working out 400 offsets takes longer than
 * the rest of a page, so the latest list is kept.
 */
export function timeZoneChoices(now: Date): readonly ZoneChoice[] {
  const quarter = Math.floor(now.getTime() / QUARTER_MS);
  if (latestChoices?.quarter !== quarter) latestChoices = { quarter, choices: choicesAt(now) };
  return latestChoices.choices;
}

function choicesAt(now: Date): ZoneChoice[] {
  const names = new Set(Intl.supportedValuesOf('timeZone').map(currentZone));
  names.delete('UTC');
  return ['UTC', ...[...names].sort()].map((name) => ({
    value: zoneName(name),
    label: name === 'UTC' ? 'UTC' : `${cityOf(name)}, UTC${offsetText(name, now)}`,
  }));
}

/** A cached zone. Node needs several microseconds for an offset, and a page asks thousands of times. */
interface KnownZone {
  zone: IANAZone;
  /** Offsets in minutes by day since 1970, in UTC; null for a day with a clock change. */
  days: Map<number, number | null>;
}

const known = new Map<string, KnownZone | null>();

/** Limits of the cache, so that unknown names and distant instants do not fill the memory. */
const MOST_ZONES = 100;
const MOST_DAYS = 2_000;

/** @returns null for an unknown zone */
function zoneOf(name: string): KnownZone | null {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MOST_ZONES) known.clear();
  const zone = IANAZone.isValidZone(name) ? { zone: IANAZone.create(name), days: new Map() } : null;
  known.set(name, zone);
  return zone;
}

/** No zone has changed clocks twice within a day since 1970, so equal offsets at both ends of a day hold all day. */
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
 * The local time of a zone at an instant: "2026-03-09T08:30:15.123Z", where the Z has no meaning.
 * @returns null for an unknown zone, an invalid instant, and years without four digits
 */
export function wallClock(instant: Date, timeZone: string): string | null {
  const at = instant.getTime();
  const zone = Number.isNaN(at) ? null : zoneOf(timeZone);
  if (zone === null) return null;
  const shown = new Date(at + Math.round(offsetAt(zone, at) * MINUTE_MS));
  return isFourDigitYear(shown) ? shown.toISOString() : null;
}

/** True for an instant whose ISO form begins with the four digits of its year in UTC. */
function isFourDigitYear(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** From an instant (included) to another (excluded); null leaves that side open. */
export interface InstantRange {
  from: Date | null;
  before: Date | null;
}

/** The calendar day (YYYY-MM-DD) that an instant falls on in a zone. */
export function calendarDay(instant: Date, timeZone: string): string {
  const clock = wallClock(instant, timeZone);
  return clock?.slice(0, 10) ?? DateTime.fromJSDate(instant, { zone: timeZone }).toFormat('yyyy-MM-dd');
}

/** The calendar day that many days before another. */
export function daysBefore(day: string, days: number): string {
  if (Number.isInteger(days) && isCalendarDay(day)) {
    const earlier = new Date(Date.parse(day) - days * DAY_MS);
    if (isFourDigitYear(earlier)) return earlier.toISOString().slice(0, 10);
  }
  return DateTime.fromISO(day, { zone: 'utc' }).minus({ days }).toFormat('yyyy-MM-dd');
}

/**
 * The instants that fall on the days `first` to `last` in a zone, both included. A day with a clock change has 23 or 25
 * hours.
 */
export function instantsOfDays(first: string | null, last: string | null, timeZone: string): InstantRange {
  const startOf = (day: string) => DateTime.fromISO(day, { zone: timeZone }).startOf('day');
  return {
    from: first === null ? null : startOf(first).toJSDate(),
    before: last === null ? null : startOf(last).plus({ days: 1 }).startOf('day').toJSDate(),
  };
}

/** An instant as date and time of a zone: "2026-03-09 08:30". */
export function localDateTime(instant: Date, timeZone: string): string {
  const clock = wallClock(instant, timeZone);
  if (clock !== null) return `${clock.slice(0, 10)} ${clock.slice(11, 16)}`;
  return DateTime.fromJSDate(instant, { zone: timeZone }).toFormat('yyyy-MM-dd HH:mm');
}

/** An instant as local time for a form's date-and-time control: "2026-03-09T08:30". */
export function momentField(instant: Date, timeZone: string): string {
  const clock = wallClock(instant, timeZone);
  return (
    clock?.slice(0, 16) ?? DateTime.fromJSDate(instant, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm")
  );
}

/** The calendar day that many days after another. */
export function dayAfter(day: string, days: number): string {
  return daysBefore(day, -days);
}

/** Whole calendar days from one day (YYYY-MM-DD) to another; below zero when the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

/**
 * The instant of a local day and time in a zone. A time skipped by a clock change moves forward by the gap; of a time that
 * exists twice, the earlier one is used (Temporal's "compatible"). luxon alone would choose by today's offset.
 * @param day YYYY-MM-DD
 * @param time HH:mm
 */
export function instantOfWallTime(day: string, time: string, timeZone: string): Date {
  const zone = IANAZone.create(timeZone);
  const local = Date.parse(`${day}T${time}:00Z`);
  const before = zone.offset(local - DAY_MS);
  const after = zone.offset(local + DAY_MS);
  const real = [before, after]
    .map((offset) => ({ offset, at: local - offset * MINUTE_MS }))
    .filter(({ offset, at }) => zone.offset(at) === offset)
    .map(({ at }) => at);
  return new Date(real.length > 0 ? Math.min(...real) : local - before * MINUTE_MS);
}

/**
 * Reads a moment: "2026-03-09T08:00" or "2026-03-09 08:00" in the given time zone,
 * "08:00" for today there, or an instant with its offset ("2026-03-09T08:00:00Z").
 * @returns null for anything else
 */
export function readMoment(text: string, timeZone: string, now: Date): Date | null {
  const moment = parseMoment(text);
  if (moment === null) return null;
  if (moment.kind === 'today') return instantOfWallTime(calendarDay(now, timeZone), moment.time, timeZone);
  if (moment.kind === 'local') return instantOfWallTime(moment.day, moment.time, timeZone);
  const at = DateTime.fromISO(text.trim());
  return at.isValid ? at.toJSDate() : null;
}

/** Formats are cached because creating one takes as long as using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Most formats in the cache. */
const MOST_FORMATS = 100;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** An instant as people read it in a zone: "9 Mar 2026, 08:30". */
export function shownInstant(instant: Date, timeZone: string): string {
  return formatOf(timeZone).format(instant);
}

/** The same with its zone, for comparison with logs and other time zones: "9 Mar 2026, 08:30 UTC". */
export function shownInstantInZone(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone, timeZoneName: 'short' });
  const zone = parts.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return `${shownInstant(instant, timeZone)} ${zone}`;
}
