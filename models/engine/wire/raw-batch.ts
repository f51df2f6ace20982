import { encode } from '../values/codec.ts';
import type { Document } from '../values/types.ts';

const TYPE_DOCUMENT = 3;
const TYPE_ARRAY = 4;
const END = Buffer.alloc(1);

/**
 * Documents of a cursor batch as stored bytes, so that a page that needs no projection is answered
 * without decoding and encoding it again. Only `cursor.firstBatch` and `cursor.nextBatch` may hold one.
 */
export class RawBatch {
  readonly documents: readonly Uint8Array[];
  constructor(documents: readonly Uint8Array[]) {
    this.documents = documents;
  }
}

/** BSON of a command's answer in pieces to be written one after the other; a cursor's batch may be a `RawBatch`. */
export function encodeReply(reply: Document): Uint8Array[] {
  const cursor = reply['cursor'];
  const field = cursor !== null && typeof cursor === 'object' ? rawField(cursor as Document) : undefined;
  if (!field) return [encode(reply)];
  const { [field]: batch, ...rest } = cursor as Document;
  const inner = document([element(TYPE_ARRAY, field), ...rawArray(batch as RawBatch), fieldsOf(rest)]);
  const { cursor: _cursor, ...others } = reply;
  return document([element(TYPE_DOCUMENT, 'cursor'), ...inner, fieldsOf(others)]);
}

function rawField(cursor: Document): 'firstBatch' | 'nextBatch' | undefined {
  if (cursor['firstBatch'] instanceof RawBatch) return 'firstBatch';
  return cursor['nextBatch'] instanceof RawBatch ? 'nextBatch' : undefined;
}

function rawArray(batch: RawBatch): Uint8Array[] {
  return document(batch.documents.flatMap((bytes, index) => [element(TYPE_DOCUMENT, String(index)), bytes]));
}

function element(type: number, name: string): Uint8Array {
  return Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'latin1');
}

/** The elements of an encoded document without its length and terminator. */
function fieldsOf(fields: Document): Uint8Array {
  const bytes = encode(fields);
  return bytes.subarray(4, bytes.length - 1);
}

function document(parts: Uint8Array[]): Uint8Array[] {
  const length = Buffer.alloc(4);
  length.writeInt32LE(parts.reduce((sum, part) => sum + part.length, 5));
  return [length, ...parts, END];
}
