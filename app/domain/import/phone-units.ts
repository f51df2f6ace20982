import { Decimal } from '#app/domain/decimal/decimal.ts';

/** The measures that phones' files are read for. */
export type PhoneMetric = 'weight' | 'bodyFat' | 'systolic' | 'diastolic' | 'heartRate' | 'glucose';

/** A value in a unit of its measure. */
export interface PhoneValue {
  /** Decimal text with at most {@link DECIMALS} decimals. */
  text: string;
  unit: string;
}

/** Decimals that are kept: what is beyond them in a file is the noise of a double. */
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

/** Apple writes a percentage as a share of 1; nobody's body has 1 % of fat or less. */
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

/** A number of a file: digits, perhaps with an exponent as doubles are printed. */
const NUMBER = /^\d{1,15}(?:\.\d{1,25})?(?:[eE][+-]?\d{1,2})?$/;

/** @returns null for what is no number, or below zero */
export function readPhoneNumber(text: string): Decimal | null {
  return NUMBER.test(text) ? new Decimal(text) : null;
}

/** The text of a number with the decimals that are kept. */
export const phoneText = (value: Decimal): string => value.round(DECIMALS).toFixed();

/** A file's name of a unit as {@link UNITS} has it: `mmol<180.15588>/L` names its substance's molar mass. */
const plainUnit = (unit: string): string =>
  unit
    .replace(/<[^>]*>/, '')
    .trim()
    .toLowerCase();

/**
 * A value in the unit that the product keeps it in: kg, lb, %, mmHg, bpm, mmol/L or mg/dL.
 * @returns null for a unit that the measure does not have
 */
export function inProductUnit(metric: PhoneMetric, value: Decimal, unit: string): PhoneValue | null {
  const known = UNITS[metric];
  const name = plainUnit(unit);
  if (!Object.hasOwn(known, name)) return null;
  const converted = known[name]?.(value);
  return converted === undefined ? null : { text: phoneText(converted.value), unit: converted.unit };
}

/** Values that were read before: a watch's millions of heart rates are few numbers. */
const KNOWN_VALUES = new Map<string, PhoneValue>();
const MOST_KNOWN = 2000;

/**
 * The value of a record, in the unit that the product keeps it in.
 * @returns or what is wrong with it
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
  if (value === null) return `unit: Vialbook does not know “${unit.slice(0, 40)}” for this`;
  if (KNOWN_VALUES.size >= MOST_KNOWN) KNOWN_VALUES.clear();
  KNOWN_VALUES.set(name, value);
  return value;
}
