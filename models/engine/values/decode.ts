import { EngineError } from '../errors.ts';
import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  BsonUndefined,
  Code,
  DbPointer,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  T,
  Timestamp,
  setField,
  type Document,
} from './types.ts';

/** How deep a document that arrives may be nested; the server's own limit for messages. */
export const MAX_DEPTH = 200;

const MAX_DATE = 8.64e15;
const SHORT_KEY = 32;

function invalid(reason: string): EngineError {
  return new EngineError('InvalidBSON', `Invalid BSON: ${reason}`);
}

/** One pass over the bytes of a message; `at` is the next byte to read. */
class Reader {
  at = 0;
  depth = 0;
  private readonly view: DataView;

  constructor(
    private readonly bytes: Buffer,
    private end: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private need(count: number): void {
    if (count < 0 || this.at + count > this.end) throw invalid('unexpected end of a document');
  }

  private byte(): number {
    this.need(1);
    return this.bytes[this.at++] as number;
  }

  private int32(): number {
    this.need(4);
    const value = this.view.getInt32(this.at, true);
    this.at += 4;
    return value;
  }

  private long(): Long {
    const low = this.int32();
    return new Long(low, this.int32());
  }

  private float64(): unknown {
    this.need(8);
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return (value | 0) === value && !Object.is(value, -0) ? new Double(value) : value;
  }

  private cstring(): string {
    const start = this.at;
    const stop = Math.min(this.end, start + SHORT_KEY);
    let text = '';
    for (let i = start; i < stop; i++) {
      const code = this.bytes[i] as number;
      if (code === 0) {
        this.at = i + 1;
        return text;
      }
      if (code > 0x7f) break;
      text += String.fromCharCode(code);
    }
    const zero = this.bytes.indexOf(0, start);
    if (zero < 0 || zero >= this.end) throw invalid('unterminated field name');
    this.at = zero + 1;
    return this.bytes.toString('utf8', start, zero);
  }

  private string(): string {
    const length = this.int32();
    if (length < 1) throw invalid('string length');
    this.need(length);
    const stop = this.at + length - 1;
    if (this.bytes[stop] !== 0) throw invalid('unterminated string');
    const text = this.bytes.toString('utf8', this.at, stop);
    this.at = stop + 1;
    return text;
  }

  private take(length: number): Uint8Array {
    this.need(length);
    const copy = Uint8Array.prototype.slice.call(this.bytes, this.at, this.at + length);
    this.at += length;
    return new Uint8Array(copy.buffer, copy.byteOffset, length);
  }

  private date(): Date {
    const millis = this.long().toNumber();
    if (Math.abs(millis) > MAX_DATE)
      throw new EngineError('BadValue', 'date is outside of the supported range');
    return new Date(millis);
  }

  private binary(): Binary {
    let length = this.int32();
    const subType = this.byte();
    if (subType === Binary.SUBTYPE_BYTE_ARRAY) {
      const inner = this.int32();
      if (inner !== length - 4) throw invalid('binary length');
      length = inner;
    }
    return new Binary(this.take(length), subType);
  }

  private regex(): BSONRegExp {
    const pattern = this.cstring();
    const options = this.cstring();
    try {
      return new BSONRegExp(pattern, options);
    } catch {
      throw invalid(`regular expression options '${options}'`);
    }
  }

  private codeWithScope(): Code {
    this.int32();
    const code = this.string();
    return new Code(code, this.document());
  }

  private bool(): boolean {
    const value = this.byte();
    if (value > 1) throw invalid('boolean');
    return value === 1;
  }

  private timestamp(): Timestamp {
    return new Timestamp(this.long().toUnsigned());
  }

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
        return new ObjectId(this.take(12));
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
      case T.undefined:
        return BsonUndefined.instance;
      case T.regex:
        return this.regex();
      case T.dbPointer: {
        const namespace = this.string();
        return new DbPointer(namespace, new ObjectId(this.take(12)));
      }
      case T.javascript:
        return new Code(this.string());
      case T.symbol:
        return new BSONSymbol(this.string());
      case T.javascriptWithScope:
        return this.codeWithScope();
      case T.timestamp:
        return this.timestamp();
      case T.decimal:
        return new Decimal128(this.take(16));
      case 255:
        return new MinKey();
      case T.maxKey:
        return new MaxKey();
      default:
        throw invalid(`unrecognized type ${type}`);
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

/**
 * Decodes one BSON document. Nothing that encoding needs is lost: see {@link Document} for how numbers are told apart.
 * Of a field that is given twice the last one counts.
 * @throws EngineError InvalidBSON for bytes that are no document, Overflow for one nested too deep.
 */
export function decode(bytes: Uint8Array): Document {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 5) throw invalid('too short');
  const size = buffer.readInt32LE(0);
  if (size > buffer.length) throw invalid(`document size ${size}`);
  const doc = new Reader(buffer, size).document();
  return doc;
}
