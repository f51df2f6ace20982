import { EngineError, unsupported } from '../errors.ts';
import {
  BSONRegExp,
  Binary,
  Double,
  Long,
  ObjectId,
  Timestamp,
  MaxKey,
  MinKey,
  REFUSED_TYPES,
  T,
  setField,
  type Document,
} from './types.ts';

/** Field names repeat between documents, so those of usual length are decoded only once. */
const SLOTS = 4096;
const LONGEST = 48;

interface Known {
  bytes: Uint8Array;
  text: string;
}

const known: (Known | undefined)[] = new Array<Known | undefined>(SLOTS);

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}

/** The name in the bytes from `start` up to `end`; `hash` is any number computed from just these bytes. */
function nameFrom(bytes: Buffer, start: number, end: number, hash: number): string {
  const length = end - start;
  if (length > LONGEST) return bytes.toString('utf8', start, end);
  const slot = hash & (SLOTS - 1);
  const entry = known[slot];
  if (entry && isSame(entry.bytes, bytes, start, length)) return entry.text;
  const text = bytes.toString('utf8', start, end);
  known[slot] = { bytes: Uint8Array.prototype.slice.call(bytes, start, end), text };
  return text;
}

const MAX_DATE = 8.64e15;
/** Up to this length, a loop is faster than the native call that decodes longer texts. */
const SHORT_TEXT = 12;

/** The error for bytes that are not a document. */
function invalid(reason: string): EngineError {
  return new EngineError('InvalidBSON', `Invalid BSON: ${reason}`);
}

function refusedType(type: number): EngineError {
  const name = REFUSED_TYPES.get(type);
  return name === undefined ? invalid(`unrecognized type ${type}`) : unsupported(`the BSON type ${name}`);
}

function textFrom(bytes: Buffer, start: number, end: number): string {
  if (end - start > SHORT_TEXT) return bytes.toString('utf8', start, end);
  let text = '';
  for (let i = start; i < end; i++) {
    const code = bytes[i] as number;
    if (code > 0x7f) return bytes.toString('utf8', start, end);
    text += String.fromCharCode(code);
  }
  return text;
}

/** Reads scalar values in one pass over the bytes of a message; `at` is the next byte to read. */
class ByteReader {
  at = 0;
  private readonly view: DataView;

  constructor(
    private readonly bytes: Buffer,
    protected readonly end: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  protected need(count: number): void {
    if (count < 0 || this.at + count > this.end) throw invalid('unexpected end of a document');
  }

  protected byte(): number {
    this.need(1);
    return this.bytes[this.at++] as number;
  }

  protected int32(): number {
    this.need(4);
    const { bytes, at } = this;
    this.at = at + 4;
    return (
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    );
  }

  protected long(): Long {
    const low = this.int32();
    return new Long(low, this.int32());
  }

  protected float64(): unknown {
    this.need(8);
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return (value | 0) === value && !Object.is(value, -0) ? new Double(value) : value;
  }

  protected cstring(): string {
    const start = this.at;
    let hash = 0;
    let i = start;
    for (; i < this.end; i++) {
      const code = this.bytes[i] as number;
      if (code === 0) break;
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    if (i >= this.end) throw invalid('unterminated field name');
    this.at = i + 1;
    return nameFrom(this.bytes, start, i, hash);
  }

  protected string(): string {
    const length = this.int32();
    if (length < 1) throw invalid('string length');
    this.need(length);
    const stop = this.at + length - 1;
    if (this.bytes[stop] !== 0) throw invalid('unterminated string');
    const start = this.at;
    this.at = stop + 1;
    return textFrom(this.bytes, start, stop);
  }

  protected take(length: number): Uint8Array {
    this.need(length);
    const start = this.at;
    this.at += length;
    return new Uint8Array(
      this.bytes.buffer.slice(this.bytes.byteOffset + start, this.bytes.byteOffset + start + length),
    );
  }

  protected objectId(): ObjectId {
    this.need(12);
    const start = this.at;
    this.at += 12;
    return new ObjectId(this.bytes.subarray(start, start + 12));
  }

  protected date(): Date {
    const millis = this.long().toNumber();
    if (Math.abs(millis) > MAX_DATE)
      throw new EngineError('BadValue', 'date is outside of the supported range');
    return new Date(millis);
  }

  protected binary(): Binary {
    let length = this.int32();
    const subType = this.byte();
    if (subType === Binary.SUBTYPE_BYTE_ARRAY) {
      const inner = this.int32();
      if (inner !== length - 4) throw invalid('binary length');
      length = inner;
    }
    return new Binary(this.take(length), subType);
  }

  protected regex(): BSONRegExp {
    const pattern = this.cstring();
    const options = this.cstring();
    try {
      return new BSONRegExp(pattern, options);
    } catch {
      throw invalid(`regular expression options '${options}'`);
    }
  }

  protected bool(): boolean {
    const value = this.byte();
    if (value > 1) throw invalid('boolean');
    return value === 1;
  }

  protected timestamp(): Timestamp {
    return new Timestamp(this.long().toUnsigned());
  }
}

/** How deeply an incoming document may be nested; the server's limit for messages. */
export const MAX_DEPTH = 200;

/** One pass over the bytes of a message. */
class Reader extends ByteReader {
  private depth = 0;

  private value(type: number): unknown {
    switch (type) {
      case T.string:
        return this.string();
      case T.int:
        return this.int32();
      case T.double:
        return this.float64();
      case T.object:
        return this.document();
      case T.array:
        return this.array();
      case T.objectId:
        return this.objectId();
      case T.bool:
        return this.bool();
      case T.date:
        return this.date();
      case T.null:
        return null;
      case T.long:
        return this.long();
      default:
        return this.rareValue(type);
    }
  }

  private rareValue(type: number): unknown {
    switch (type) {
      case T.binData:
        return this.binary();
      case T.regex:
        return this.regex();
      case T.timestamp:
        return this.timestamp();
      case 255:
        return new MinKey();
      case T.maxKey:
        return new MaxKey();
      default:
        throw refusedType(type);
    }
  }

  private enter(): number {
    const start = this.at;
    const size = this.int32();
    if (size < 5 || start + size > this.end) throw invalid(`document size ${size}`);
    if (++this.depth > MAX_DEPTH) {
      throw new EngineError('Overflow', `BSONObj exceeds maximum nested object depth: ${MAX_DEPTH}`);
    }
    return start + size;
  }

  private leave(stop: number): void {
    if (this.at !== stop) throw invalid('document size does not match its content');
    this.depth--;
  }

  document(): Document {
    const stop = this.enter();
    const doc: Document = {};
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      const key = this.cstring();
      setField(doc, key, this.value(type));
    }
    this.leave(stop);
    return doc;
  }

  /** A document with only some of its fields; the values of others are skipped. */
  fields(fields: ReadonlySet<string>): Document {
    const stop = this.enter();
    const doc: Document = {};
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      const key = this.cstring();
      if (fields.has(key)) setField(doc, key, this.value(type));
      else this.skip(type);
    }
    this.leave(stop);
    return doc;
  }

  private skip(type: number): void {
    switch (type) {
      case T.string:
        return this.pass(this.int32());
      case T.object:
      case T.array:
        return this.pass(this.int32() - 4);
      case T.double:
      case T.date:
      case T.long:
        return this.pass(8);
      case T.objectId:
        return this.pass(12);
      case T.int:
        return this.pass(4);
      case T.bool:
        return this.pass(1);
      default:
        this.value(type);
    }
  }

  private pass(length: number): void {
    this.need(length);
    this.at += length;
  }

  private array(): unknown[] {
    const stop = this.enter();
    const items: unknown[] = [];
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      this.cstring();
      items.push(this.value(type));
    }
    this.leave(stop);
    return items;
  }
}

function readerOf(bytes: Uint8Array): Reader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 5) throw invalid('too short');
  const size = buffer.readInt32LE(0);
  if (size > buffer.length) throw invalid(`document size ${size}`);
  return new Reader(buffer, size);
}

/**
 * Decodes one BSON document without losing type information: see {@link Document} for how numbers are distinguished.
 * If a field occurs twice, the last one counts.
 * @throws EngineError InvalidBSON for bytes that are not a document, Overflow for one nested too deeply, 115 for an unsupported
 * type of value.
 */
export function decode(bytes: Uint8Array): Document {
  return readerOf(bytes).document();
}

/**
 * The same for some of a document's top-level fields. A filter over a million documents reads two or three fields of each;
 * decoding the whole documents would cost four times as much.
 * @throws EngineError as {@link decode}, except for errors inside the values of other fields
 */
export function decodeFields(bytes: Uint8Array, fields: ReadonlySet<string>): Document {
  return readerOf(bytes).fields(fields);
}
