import { encode } from '#models/engine/values/encode.ts';
import type { Document } from '#models/engine/values/types.ts';

const OP_MSG = 2013;

/** A message with its header. */
export function message(opCode: number, payload: Uint8Array, requestId = 7): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + payload.length, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, payload]);
}

/** A section of kind 0. */
export function bodySection(body: Document): Buffer {
  return Buffer.concat([Buffer.from([0]), encode(body)]);
}

/** A section of kind 1. */
export function sequenceSection(name: string, documents: Document[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((doc) => encode(doc))]);
  const size = Buffer.alloc(4);
  size.writeInt32LE(content.length + 4);
  return Buffer.concat([Buffer.from([1]), size, content]);
}

/** An OP_MSG of the given sections. */
export function opMsg(sections: Uint8Array[], flags = 0): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(flags);
  return message(OP_MSG, Buffer.concat([head, ...sections]));
}
