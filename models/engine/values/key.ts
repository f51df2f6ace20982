import { bareNumber } from './numbers.ts';
import { KeyWriter } from './key-writer.ts';
import {
  Binary,
  T,
  regexParts,
  typeOf,
  typeRank,
  type Document,
  type ObjectId,
  type Timestamp,
} from './types.ts';

const BELOW = 0x7f;
const EXACT = 0x80;
const ABOVE = 0x81;
const EXPONENT_BIAS = 0x4000;

const view = new DataView(new ArrayBuffer(8));

/**
 * Eight bytes that sort like doubles: NaN first, then -Infinity … Infinity; -0 is 0.
 * The sign bit is flipped for positive numbers, all bits for negative ones.
 */
function writeDouble(w: KeyWriter, value: number): void {
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

/** Decimal digits that sort like integers of the same sign: their count, then the digits. */
function writeDigits(w: KeyWriter, size: bigint, negative: boolean): void {
  const from = w.at;
  const digits = size.toString();
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === '0') end -= 1;
  w.uint16(digits.length + EXPONENT_BIAS);
  w.raw(Buffer.from(digits.slice(0, end), 'latin1'));
  w.byte(0x01);
  if (negative) w.invert(from);
}

/**
 * Any BSON number: the nearest double, then on which side of it the exact value is, and its digits if it differs from the
 * double. Equal numbers of different types have equal bytes.
 */
function writeNumber(w: KeyWriter, value: unknown): void {
  const bare = bareNumber(value);
  const nearest = Number(bare);
  writeDouble(w, nearest);
  if (typeof bare === 'number') return w.byte(EXACT);
  w.byte(bare < nearest ? BELOW : ABOVE);
  writeDigits(w, bare < 0n ? -bare : bare, bare < 0n);
}

/** Ends documents and arrays; below every type byte. */
const END = 0x00;
const RANK_OFFSET = 16;

/** The first byte of a value's encoding, in MongoDB's order of types. */
export function typeByte(value: unknown): number {
  return typeRank(typeOf(value)) + RANK_OFFSET;
}

function writeDocument(w: KeyWriter, doc: Document): void {
  for (const key of Object.keys(doc)) {
    const value = doc[key];
    w.byte(typeByte(value));
    w.text(key);
    writeContent(w, value);
  }
  w.byte(END);
}

function writeBinary(w: KeyWriter, value: unknown): void {
  const bytes = value instanceof Binary ? value.value() : (value as Uint8Array);
  w.uint32(bytes.length);
  w.byte(value instanceof Binary ? value.sub_type : 0);
  w.raw(bytes);
}

function writeRare(w: KeyWriter, type: number, value: unknown): void {
  switch (type) {
    case T.timestamp:
      w.uint32((value as Timestamp).high);
      return w.uint32((value as Timestamp).low);
    case T.regex: {
      const { pattern, options } = regexParts(value);
      w.text(pattern);
      return w.text(options);
    }
    default:
      return;
  }
}

function writeContent(w: KeyWriter, value: unknown): void {
  const type = typeOf(value);
  switch (type) {
    case T.string:
      return w.text(value as string);
    case T.int:
    case T.long:
    case T.double:
      return writeNumber(w, value);
    case T.object:
      return writeDocument(w, value as Document);
    case T.array:
      for (const item of value as unknown[]) writeValue(w, item);
      return w.byte(END);
    case T.binData:
      return writeBinary(w, value);
    case T.objectId:
      return w.raw((value as ObjectId).id);
    case T.bool:
      return w.byte(value === true ? 1 : 0);
    case T.date:
      return writeDouble(w, (value as Date).getTime());
    default:
      return writeRare(w, type, value);
  }
}

/**
 * Bytes that sort like `compareValues`, across all types. No encoding is a prefix of another, so fields can be
 * concatenated.
 */
function writeValue(w: KeyWriter, value: unknown): void {
  w.byte(typeByte(value));
  writeContent(w, value);
}

/** One field of a key; descending fields are inverted. */
export function writeField(w: KeyWriter, value: unknown, direction: 1 | -1): void {
  const from = w.at;
  writeValue(w, value);
  if (direction === -1) w.invert(from);
}

const writer = new KeyWriter();

/** A text that is the same for equal values only. */
export function keyOf(value: unknown): string {
  writer.reset();
  writeValue(writer, value);
  return writer.take().toString('latin1');
}
