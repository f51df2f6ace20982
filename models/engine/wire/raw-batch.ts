import { encode } from '../values/encode.ts';
import type { Document } from '../values/types.ts';

const TYPE_DOCUMENT = 3;
const TYPE_ARRAY = 4;
const END = Buffer.alloc(1);

/**
 * Documents of a cursor batch as stored bytes, so that a page without a projection is sent
 * without decoding and re-encoding it. Only `cursor.firstBatch` and `cursor.nextBatch` may contain one.
 */
export class RawBatch {
  constructor(readonly documents: readonly Uint8Array[]) {}
}

/** BSON in pieces, created one after the other as they are written. */
export interface EncodedReply {
  length: number;
  parts: Iterable<Uint8Array>;
}

/** BSON of a reply in one piece. */
export function wholeReply(reply: Document): EncodedReply {
  return whole(encode(reply));
}

/** BSON of a command's reply; a cursor's batch may be a `RawBatch`. */
export function encodeReply(reply: Document): EncodedReply {
  const cursor = reply['cursor'];
  const field = cursor !== null && typeof cursor === 'object' ? rawField(cursor as Document) : undefined;
  if (!field) return wholeReply(reply);
  const { [field]: batch, ...rest } = cursor as Document;
  const inner = document([element(TYPE_ARRAY, field), rawArray(batch as RawBatch), fieldsOf(rest)]);
  const { cursor: _cursor, ...others } = reply;
  return document([element(TYPE_DOCUMENT, 'cursor'), inner, fieldsOf(others)]);
}

function rawField(cursor: Document): 'firstBatch' | 'nextBatch' | undefined {
  if (cursor['firstBatch'] instanceof RawBatch) return 'firstBatch';
  return cursor['nextBatch'] instanceof RawBatch ? 'nextBatch' : undefined;
}

/** Approximate size of a piece: one piece for each document would cost more than copying them. */
const PIECE_BYTES = 64 * 1024;

function rawArray({ documents }: RawBatch): EncodedReply {
  let length = 0;
  for (let index = 0; index < documents.length; index++)
    length += (documents[index] as Uint8Array).length + String(index).length + 2;
  return document([{ length, parts: elements(documents) }]);
}

function* elements(documents: readonly Uint8Array[]): Generator<Uint8Array> {
  for (let from = 0; from < documents.length;) {
    let to = from;
    let size = 0;
    for (; to < documents.length && size < PIECE_BYTES; to++)
      size += (documents[to] as Uint8Array).length + String(to).length + 2;
    const bytes = Buffer.allocUnsafe(size);
    let at = 0;
    for (let index = from; index < to; index++) {
      const stored = documents[index] as Uint8Array;
      bytes[at] = TYPE_DOCUMENT;
      at += 1 + bytes.write(String(index), at + 1, 'latin1');
      bytes[at] = 0;
      bytes.set(stored, at + 1);
      at += 1 + stored.length;
    }
    yield bytes;
    from = to;
  }
}

function element(type: number, name: string): EncodedReply {
  return whole(Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'latin1'));
}

/** The elements of an encoded document without its length and terminator. */
function fieldsOf(fields: Document): EncodedReply {
  const bytes = encode(fields);
  return whole(bytes.subarray(4, bytes.length - 1));
}

function whole(bytes: Uint8Array): EncodedReply {
  return { length: bytes.length, parts: [bytes] };
}

function document(contents: EncodedReply[]): EncodedReply {
  const length = contents.reduce((sum, content) => sum + content.length, 5);
  const head = Buffer.alloc(4);
  head.writeInt32LE(length);
  return { length, parts: inOrder([whole(head), ...contents, whole(END)]) };
}

function* inOrder(contents: EncodedReply[]): Generator<Uint8Array> {
  for (const { parts } of contents) yield* parts;
}
