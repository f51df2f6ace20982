import { EngineError } from '../errors.ts';
import { ByteReader, invalid } from './byte-reader.ts';
import {
  BSONSymbol,
  BsonUndefined,
  Code,
  DbPointer,
  Decimal128,
  MaxKey,
  MinKey,
  T,
  setField,
  type Document,
} from './types.ts';

/** How deep a document that arrives may be nested; the server's own limit for messages. */
export const MAX_DEPTH = 200;

/** One pass over the bytes of a message. */
class Reader extends ByteReader {
  private depth = 0;

  private codeWithScope(): Code {
    this.int32();
    const code = this.string();
    return new Code(code, this.document());
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
      case T.undefined:
        return BsonUndefined.instance;
      case T.regex:
        return this.regex();
      case T.dbPointer: {
        const namespace = this.string();
        return new DbPointer(namespace, this.objectId());
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

  /** A document with some of its fields only; the values of others are stepped over. */
  fields(wanted: ReadonlySet<string>): Document {
    const stop = this.enter();
    const doc: Document = {};
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      const key = this.cstring();
      if (wanted.has(key)) setField(doc, key, this.value(type));
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
 * Decodes one BSON document. Nothing that encoding needs is lost: see {@link Document} for how numbers are told apart.
 * Of a field that is given twice the last one counts.
 * @throws EngineError InvalidBSON for bytes that are no document, Overflow for one nested too deep.
 */
export function decode(bytes: Uint8Array): Document {
  return readerOf(bytes).document();
}

/**
 * The same for some of a document's own fields. A filter over a million documents looks at two or three fields of each;
 * decoding them whole costs four times as much.
 * @throws EngineError as {@link decode}, but for what is wrong inside the values of other fields
 */
export function decodeFields(bytes: Uint8Array, wanted: ReadonlySet<string>): Document {
  return readerOf(bytes).fields(wanted);
}
