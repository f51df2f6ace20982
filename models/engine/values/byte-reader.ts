import { EngineError } from '../errors.ts';
import { nameFrom } from './names.ts';
import { BSONRegExp, Binary, Double, Long, ObjectId, Timestamp } from './types.ts';

const MAX_DATE = 8.64e15;
/** Up to here a loop is faster than the call that decodes longer texts. */
const SHORT_TEXT = 12;

/** What is told of bytes that are no document. */
export function invalid(reason: string): EngineError {
  return new EngineError('InvalidBSON', `Invalid BSON: ${reason}`);
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

/** The values of one pass over the bytes of a message that hold no others; `at` is the next byte to read. */
export class ByteReader {
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
