import { Decimal } from '#app/domain/decimal/decimal.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { instantOfWallTime, localDateTime } from '#app/domain/time/zoned-time.ts';

/** An instant as a phone wrote it, and its clock's offset from UTC in minutes; days are counted by that clock. */
export interface PhoneTime {
  /** Milliseconds since 1970. */
  at: number;
  offset: number;
}

/**
 * `2024-02-06 14:30:00 -0800` as written by Apple Health and Health Auto Export, which also uses a 12-hour clock; ISO 8601
 * as written by Health Connect's tools.
 */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[\s\u202f]?([AP])M)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

function offsetOf(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** A time zone's offset from UTC at an instant, in minutes. */
export function zoneOffset(at: number, timeZone: string): number {
  // The local time has no seconds.
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const local = Date.parse(`${localDateTime(new Date(minute), timeZone).replace(' ', 'T')}Z`);
  return Math.round((local - minute) / MINUTE_MS);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
}

/**
 * Reads a time of a phone's file.
 * @param timeZone used for a time without a zone
 * @returns null for anything else, and for dates that do not exist
 */
export function readPhoneTime(text: string, timeZone: string): PhoneTime | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hours = '0', minutes = '00', seconds = '0', fraction = '', half, zone] = match;
  const hour = hourOf(Number(hours), half);
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, Number(minutes), Number(seconds));
  const isReal =
    new Date(wall).getUTCDate() === Number(day) && hour < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  if (!isReal) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (zone !== undefined) {
    const offset = offsetOf(zone);
    return Math.abs(offset) > 18 * 60 ? null : { at: wall - offset * MINUTE_MS + milliseconds, offset };
  }
  const clock = `${String(hour).padStart(2, '0')}:${minutes}`;
  const at =
    instantOfWallTime(`${year}-${month}-${day}`, clock, timeZone).getTime() +
    Number(seconds) * 1000 +
    milliseconds;
  return { at, offset: zoneOffset(at, timeZone) };
}

/** The measures that are read from phones' files. */
export type PhoneMetric = 'weight' | 'bodyFat' | 'systolic' | 'diastolic' | 'heartRate' | 'glucose';

/** A value in a unit of its measure. */
export interface PhoneValue {
  /** Decimal text with at most {@link DECIMALS} decimals. */
  text: string;
  unit: string;
}

/** Decimals that are kept; further ones in a file are floating-point noise. */
const DECIMALS = 6;

/** Pounds in a stone and ounces in a pound (NIST Handbook 44, appendix C). */
const LB_PER_ST = 14;
const OZ_PER_LB = 16;

/** One millimetre of mercury in kilopascals (NIST Special Publication 811, appendix B.8). */
const KPA_PER_MMHG = '0.133322387415';

type Convert = (value: Decimal) => { value: Decimal; unit: string };

const asIs =
  (unit: string): Convert =>
  (value) => ({ value, unit });
const pounds =
  (each: (value: Decimal) => Decimal): Convert =>
  (value) => ({ value: each(value), unit: 'lb' });

/** Apple writes a percentage as a fraction of 1; nobody has 1% body fat or less. */
const percent: Convert = (value) => ({ value: value.lte(1) ? value.times(100) : value, unit: '%' });

const mercury: Readonly<Record<string, Convert>> = {
  mmhg: asIs('mmHg'),
  kpa: (value) => ({ value: value.div(KPA_PER_MMHG).round(1), unit: 'mmHg' }),
};

const UNITS: Readonly<Record<PhoneMetric, Readonly<Record<string, Convert>>>> = {
  weight: {
    kg: asIs('kg'),
    g: (value) => ({ value: value.div(1000), unit: 'kg' }),
    lb: asIs('lb'),
    lbs: asIs('lb'),
    st: pounds((value) => value.times(LB_PER_ST)),
    oz: pounds((value) => value.div(OZ_PER_LB)),
  },
  bodyFat: { '%': percent },
  systolic: mercury,
  diastolic: mercury,
  heartRate: {
    'count/min': asIs('bpm'),
    bpm: asIs('bpm'),
    'beats/min': asIs('bpm'),
    'count/s': (value) => ({ value: value.times(60), unit: 'bpm' }),
  },
  glucose: { 'mg/dl': asIs('mg/dL'), 'mmol/l': asIs('mmol/L') },
};

/** Digits, perhaps with an exponent as doubles are printed. */
const NUMBER = /^\d{1,15}(?:\.\d{1,25})?(?:[eE][+-]?\d{1,2})?$/;

/** @returns null for anything but a number of zero or more */
function readPhoneNumber(text: string): Decimal | null {
  return NUMBER.test(text) ? new Decimal(text) : null;
}

/** A number as text, rounded to {@link DECIMALS}. */
export const phoneText = (value: Decimal): string => value.round(DECIMALS).toFixed();

/** A unit as {@link UNITS} spells it: `mmol<180.15588>/L` contains the substance's molar mass. */
const plainUnit = (unit: string): string =>
  unit
    .replace(/<[^<>]*>/, '')
    .trim()
    .toLowerCase();

/**
 * A value in a unit that Vialbook stores: kg, lb, %, mmHg, bpm, mmol/L or mg/dL.
 * @returns null for a unit that the measure does not have
 */
function inProductUnit(metric: PhoneMetric, value: Decimal, unit: string): PhoneValue | null {
  const known = UNITS[metric];
  const name = plainUnit(unit);
  if (!Object.hasOwn(known, name)) return null;
  const converted = known[name]?.(value);
  return converted === undefined ? null : { text: phoneText(converted.value), unit: converted.unit };
}

/** A cache: a watch's millions of heart rates are only a few different numbers. */
const KNOWN_VALUES = new Map<string, PhoneValue>();
const MOST_KNOWN = 2000;

/**
 * The value of a record in a unit that Vialbook stores.
 * @returns the value, or a message about what is wrong with it
 */
export function readPhoneValue(
  metric: PhoneMetric,
  { value: text = '', unit = '' }: Readonly<Record<string, string>>,
): PhoneValue | string {
  const name = `${metric} ${text} ${unit}`;
  const known = KNOWN_VALUES.get(name);
  if (known !== undefined) return known;
  const number = readPhoneNumber(text);
  if (number === null) return `value: This must be a number, not “${text.slice(0, 40)}”`;
  const value = inProductUnit(metric, number, unit);
  if (value === null) return `unit: “${unit.slice(0, 40)}” is not a known unit for this`;
  if (KNOWN_VALUES.size >= MOST_KNOWN) KNOWN_VALUES.clear();
  KNOWN_VALUES.set(name, value);
  return value;
}
