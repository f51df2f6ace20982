import { EngineError } from '../errors.ts';
import {
  BSONRegExp,
  Binary,
  type Double,
  Int32,
  Long,
  type ObjectId,
  T,
  type Timestamp,
  typeOf,
  type Document,
} from './types.ts';

/** Deeper than the limit for incoming documents, because replies wrap documents. */
const MAX_REPLY_DEPTH = 220;
const INITIAL_SIZE = 4096;
const KEPT_SIZE = 1 << 20;
/** Up to this length, a loop is faster than the native call that encodes longer texts. */
const SHORT_TEXT = 24;

/** A growing buffer; one is reused between calls so that small documents allocate only their result. */
class Writer {
  bytes: Buffer = Buffer.allocUnsafe(INITIAL_SIZE);
  at = 0;
  depth = 0;

  private room(count: number): void {
    const end = this.at + count;
    if (end <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(end, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  private byte(value: number): void {
    this.room(1);
    this.bytes[this.at++] = value;
  }

  private setInt32(at: number, value: number): void {
    const { bytes } = this;
    bytes[at] = value;
    bytes[at + 1] = value >> 8;
    bytes[at + 2] = value >> 16;
    bytes[at + 3] = value >> 24;
  }

  /** Writes a text without its length or terminator; space has been reserved. @returns the bytes written */
  private text(text: string, at: number): number {
    if (text.length > SHORT_TEXT) return this.bytes.write(text, at, 'utf8');
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return this.bytes.write(text, at, 'utf8');
      this.bytes[at + i] = code;
    }
    return text.length;
  }

  private int32(value: number): void {
    this.room(4);
    this.setInt32(this.at, value);
    this.at += 4;
  }

  private int64(value: { low: number; high: number }): void {
    this.int32(value.low);
    this.int32(value.high);
  }

  private float64(value: number): void {
    this.room(8);
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  private cstring(text: string): void {
    if (text.includes('\0')) throw new EngineError('BadValue', 'field names must not contain null bytes');
    this.room(text.length * 3 + 1);
    this.at += this.text(text, this.at);
    this.bytes[this.at++] = 0;
  }

  private string(text: string): void {
    this.room(text.length * 3 + 5);
    const length = this.text(text, this.at + 4);
    this.setInt32(this.at, length + 1);
    this.at += 4 + length;
    this.bytes[this.at++] = 0;
  }

  private raw(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  private binary(value: Binary | Uint8Array): void {
    const bytes = value instanceof Binary ? value.value() : value;
    const subType = value instanceof Binary ? value.sub_type : 0;
    const old = subType === Binary.SUBTYPE_BYTE_ARRAY;
    this.int32(bytes.length + (old ? 4 : 0));
    this.byte(subType);
    if (old) this.int32(bytes.length);
    this.raw(bytes);
  }

  private regex(value: BSONRegExp | RegExp): void {
    const isBson = value instanceof BSONRegExp;
    this.cstring(isBson ? value.pattern : value.source);
    this.cstring(isBson ? value.options : value.flags.replace(/[^imsux]/g, ''));
  }

  private number(value: unknown): void {
    if (typeof value === 'number') this.float64(value);
    else this.float64((value as Double).value);
  }

  private content(type: number, value: unknown): void {
    switch (type) {
      case T.string:
        return this.string(value as string);
      case T.int:
        return this.int32(value instanceof Int32 ? value.value : (value as number));
      case T.double:
        return this.number(value);
      case T.object:
        return this.document(value as Document);
      case T.array:
        return this.array(value as unknown[]);
      case T.objectId:
        return this.raw((value as ObjectId).id);
      case T.bool:
        return this.byte(value === true ? 1 : 0);
      case T.date:
        return this.int64(Long.fromNumber((value as Date).getTime()));
      case T.long:
        return this.int64(typeof value === 'bigint' ? Long.fromBigInt(value) : (value as Long));
      default:
        return this.rareContent(type, value);
    }
  }

  private rareContent(type: number, value: unknown): void {
    switch (type) {
      case T.binData:
        return this.binary(value as Binary | Uint8Array);
      case T.regex:
        return this.regex(value as BSONRegExp | RegExp);
      case T.timestamp:
        return this.int64(value as Timestamp);
      default:
        return;
    }
  }

  private element(key: string, value: unknown): void {
    const type = typeOf(value);
    if (type === T.missing) return;
    this.byte(type & 0xff);
    this.cstring(key);
    this.content(type, value);
  }

  private begin(): number {
    if (++this.depth > MAX_REPLY_DEPTH) {
      throw new EngineError('Overflow', `BSONObj exceeds maximum nested object depth: ${MAX_REPLY_DEPTH}`);
    }
    const start = this.at;
    this.int32(0);
    return start;
  }

  private finish(start: number): void {
    this.byte(0);
    this.setInt32(start, this.at - start);
    this.depth--;
  }

  document(doc: Document): void {
    const start = this.begin();
    for (const key of Object.keys(doc)) this.element(key, doc[key]);
    this.finish(start);
  }

  private array(items: unknown[]): void {
    const start = this.begin();
    for (let i = 0; i < items.length; i++) this.element(String(i), items[i] === undefined ? null : items[i]);
    this.finish(start);
  }
}

const writer = new Writer();

/**
 * Encodes a document. A field whose value is `undefined` or a function is left out; in an array it becomes null.
 * @throws EngineError Overflow for nesting that is too deep, BadValue for a null byte in a field name.
 */
export function encode(doc: Document): Uint8Array {
  writer.at = 0;
  writer.depth = 0;
  writer.document(doc);
  const result = Buffer.from(writer.bytes.subarray(0, writer.at));
  if (writer.bytes.length > KEPT_SIZE) writer.bytes = Buffer.allocUnsafe(INITIAL_SIZE);
  return result;
}
