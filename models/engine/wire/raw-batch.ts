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

/** The array in one piece: a buffer for the head of each element would cost more than copying the documents. */
function rawArray({ documents }: RawBatch): Uint8Array[] {
  const names = documents.map((_, index) => String(index));
  const size = documents.reduce(
    (sum, { length }, index) => sum + length + (names[index] as string).length + 2,
    0,
  );
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  documents.forEach((stored, index) => {
    bytes[at] = TYPE_DOCUMENT;
    at += 1 + bytes.write(names[index] as string, at + 1, 'latin1');
    bytes[at] = 0;
    bytes.set(stored, at + 1);
    at += 1 + stored.length;
  });
  return document([bytes]);
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
