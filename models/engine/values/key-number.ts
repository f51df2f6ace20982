import { bareNumber } from './numbers.ts';
import type { KeyWriter } from './key-writer.ts';

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

/** Decimal digits that sort as whole numbers do among those of one sign: how many there are, then the digits. */
function writeDigits(w: KeyWriter, size: bigint, negative: boolean): void {
  const from = w.at;
  const digits = size.toString();
  w.uint16(digits.length + EXPONENT_BIAS);
  w.raw(Buffer.from(digits.replace(/0+$/, ''), 'latin1'));
  w.byte(0x01);
  if (negative) w.invert(from);
}

/**
 * Any BSON number: the nearest double, then which side of it the exact value lies on, and its digits if it is not the
 * double itself. Equal numbers of different types have equal bytes.
 */
export function writeNumber(w: KeyWriter, value: unknown): void {
  const bare = bareNumber(value);
  const nearest = Number(bare);
  writeDouble(w, nearest);
  if (typeof bare === 'number') return w.byte(EXACT);
  w.byte(bare < nearest ? BELOW : ABOVE);
  writeDigits(w, bare < 0n ? -bare : bare, bare < 0n);
}
