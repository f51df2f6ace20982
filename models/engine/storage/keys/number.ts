import {
  compareDecimals,
  decimalFromDouble,
  decimalToDouble,
  unpackDecimal,
  type Decimal,
} from '../../values/decimal.ts';
import { bareNumber } from '../../values/numbers.ts';
import type { KeyWriter } from './writer.ts';

const BELOW = 0x7f;
const EXACT = 0x80;
const ABOVE = 0x81;
const EXPONENT_BIAS = 0x4000;

const view = new DataView(new ArrayBuffer(8));

/**
 * Eight bytes that sort as doubles do: NaN first, then -Infinity … Infinity; -0 is 0.
 * The sign bit is flipped for positive numbers, all bits for negative ones.
 */
export function writeDouble(w: KeyWriter, value: number): void {
  if (Number.isNaN(value)) {
    w.uint32(0);
    w.uint32(0);
    return;
  }
  view.setFloat64(0, value === 0 ? 0 : value);
  const high = view.getUint32(0);
  const low = view.getUint32(4);
  const negative = high >= 0x80000000;
  w.uint32(negative ? ~high : high ^ 0x80000000);
  w.uint32(negative ? ~low : low);
}

/** Decimal digits that sort as the numbers do among those of one sign: scientific exponent, then digits. */
function writeDigits(w: KeyWriter, coeff: bigint, exp: number, negative: boolean): void {
  const from = w.at;
  const all = coeff.toString();
  const digits = all.replace(/0+$/, '');
  w.uint16(exp + all.length + EXPONENT_BIAS);
  w.raw(Buffer.from(digits, 'latin1'));
  w.byte(0x01);
  if (negative) w.invert(from);
}

function writeTie(w: KeyWriter, order: number, coeff: bigint, exp: number, negative: boolean): void {
  if (order === 0) return w.byte(EXACT);
  w.byte(order < 0 ? BELOW : ABOVE);
  writeDigits(w, coeff, exp, negative);
}

function writeDecimal(w: KeyWriter, value: Decimal): void {
  const nearest = decimalToDouble(value);
  writeDouble(w, nearest);
  if (value.kind !== 'finite') return w.byte(EXACT);
  const order = compareDecimals(value, decimalFromDouble(nearest));
  writeTie(w, order, value.coeff, value.exp, value.neg);
}

/**
 * Any BSON number: the nearest double, then which side of it the exact value lies on, and its digits if it is not the
 * double itself. Equal numbers of different types have equal bytes.
 */
export function writeNumber(w: KeyWriter, value: unknown): void {
  const bare = bareNumber(value);
  if (typeof bare === 'number') {
    writeDouble(w, bare);
    return w.byte(EXACT);
  }
  if (typeof bare === 'bigint') {
    const nearest = Number(bare);
    writeDouble(w, nearest);
    const exact = BigInt(nearest);
    const order = bare < exact ? -1 : bare > exact ? 1 : 0;
    return writeTie(w, order, bare < 0n ? -bare : bare, 0, bare < 0n);
  }
  writeDecimal(w, unpackDecimal(bare));
}
