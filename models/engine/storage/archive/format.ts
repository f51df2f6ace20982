import { createHash, type Hash } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import type { Document } from '../../values/types.ts';

/** The only version of the archive format. */
export const ARCHIVE_VERSION = 1;

/**
 * The contents of a frame: `H` the header, `C` a collection with its options and indexes, `D` documents (BSON, one after
 * the other), `E` the end of a collection with the number and hash of its documents, `Z` the end with the hash of
 * everything before.
 */
export type FrameType = 'H' | 'C' | 'D' | 'E' | 'Z';

export interface Frame {
  type: FrameType;
  payload: Buffer;
}

/** A type byte and a length. */
const HEAD_BYTES = 5;
/** Larger than any frame we write: a batch that ends with a document of 16 MB. */
const MAX_FRAME = 64 * 1024 * 1024;
const TYPES = new Set(['H', 'C', 'D', 'E', 'Z']);

/** A backup that is damaged, incomplete or something else entirely. */
export class BadArchive extends EngineError {
  constructor(reason: string) {
    super('BadValue', `The backup cannot be used: ${reason}. Nothing was restored.`);
  }
}

export function badArchive(reason: string): BadArchive {
  return new BadArchive(reason);
}

/** Writes frames and keeps the hash of what was written. */
export class FrameWriter {
  private readonly hash: Hash = createHash('sha256');

  frame(type: FrameType, payload: Uint8Array): Buffer {
    const head = Buffer.allocUnsafeSlow(HEAD_BYTES);
    head.write(type, 0, 'latin1');
    head.writeUInt32BE(payload.length, 1);
    const frame = Buffer.concat([head, payload]);
    this.hash.update(frame);
    return frame;
  }

  record(type: FrameType, record: Document): Buffer {
    return this.frame(type, encode(record));
  }

  /** The closing frame, with the hash of all others. */
  end(summary: Document): Buffer {
    const sha256 = this.hash.copy().digest('hex');
    return this.record('Z', { ...summary, sha256 });
  }
}

/** Splits a stream of bytes into frames and checks the closing hash. */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  let ended = false;
  for await (const chunk of source) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    for (let size = frameSize(rest); size !== null && rest.length >= size; size = frameSize(rest)) {
      if (ended) throw badArchive('there is data after its end');
      const frame = {
        type: rest.toString('latin1', 0, 1) as FrameType,
        payload: rest.subarray(HEAD_BYTES, size),
      };
      if (frame.type === 'Z') {
        checkEnd(frame.payload, hash);
        ended = true;
      } else hash.update(rest.subarray(0, size));
      yield frame;
      rest = rest.subarray(size);
    }
  }
  if (!ended || rest.length > 0) throw badArchive('it is incomplete');
}

function frameSize(bytes: Buffer): number | null {
  if (bytes.length < HEAD_BYTES) return null;
  const length = bytes.readUInt32BE(1);
  if (!TYPES.has(bytes.toString('latin1', 0, 1)) || length > MAX_FRAME) throw badArchive('it is damaged');
  return HEAD_BYTES + length;
}

/** Decodes a frame with one record. A damaged file may contain anything before its checksum is reached. */
export function readRecord(payload: Buffer): Document {
  try {
    return decode(payload);
  } catch {
    throw badArchive('it is damaged');
  }
}

function checkEnd(payload: Buffer, hash: Hash): void {
  if (readRecord(payload)['sha256'] !== hash.digest('hex')) throw badArchive('its checksum is wrong');
}

/** Splits a frame into the bytes of its documents. */
export function* documentsIn(payload: Buffer): Generator<Buffer> {
  let at = 0;
  while (at < payload.length) {
    const size = payload.length - at >= 4 ? payload.readInt32LE(at) : 0;
    if (size < 5 || at + size > payload.length) throw badArchive('a document is damaged');
    yield payload.subarray(at, at + size);
    at += size;
  }
}
