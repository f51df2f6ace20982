import { isSliceOver, PAUSE, type Steps } from '../budget.ts';
import { decode } from '../values/decode.ts';
import type { Document } from '../values/types.ts';
import { CODES, EngineError } from '../errors.ts';
import { LIMITS } from './limits.ts';
import { encodeReply, wholeReply } from './raw-batch.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const HEADER_BYTES = 16;
const FLAG_MORE_TO_COME = 2;
/** The receiver must understand bits 0 to 15; we support one of them, but not checksums, which no driver sends. */
const REQUIRED_FLAGS = 0xffff & ~FLAG_MORE_TO_COME;

/** A message that violates the protocol itself: no reply is possible, and the connection is closed. */
export class WireError extends Error {
  override name = 'WireError';
}

/** One request as it came off the wire. `sequences` of OP_MSG are already merged into `body` as arrays. */
export interface WireRequest {
  requestId: number;
  kind: 'msg' | 'query';
  body: Document;
  /** The sender expects no reply (unacknowledged write). */
  moreToCome: boolean;
}

/** A message with a valid frame whose content is answered with an error instead of closing the connection. */
export interface RefusedRequest {
  requestId: number;
  kind: 'msg' | 'query';
  refused: EngineError;
  moreToCome: boolean;
}

/**
 * Reads one complete message, header included.
 * @throws WireError when the frame is malformed or of an unknown kind.
 */
export function* parseMessage(bytes: Buffer): Steps<WireRequest | RefusedRequest> {
  const requestId = bytes.readInt32LE(4);
  const opCode = bytes.readInt32LE(12);
  if (opCode === OP_MSG) return yield* parseOpMsg(bytes, requestId);
  if (opCode === OP_QUERY) return parseOpQuery(bytes, requestId);
  throw new WireError(`operation code ${opCode} is not supported`);
}

function* parseOpMsg(bytes: Buffer, requestId: number): Steps<WireRequest | RefusedRequest> {
  if (bytes.length < HEADER_BYTES + 5) throw new WireError('OP_MSG is too short');
  const flags = bytes.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_FLAGS) !== 0) throw new WireError(`unknown OP_MSG flags ${flags}`);
  const moreToCome = (flags & FLAG_MORE_TO_COME) !== 0;
  const sections = splitSections(bytes, HEADER_BYTES + 4, bytes.length);
  try {
    return { requestId, kind: 'msg', body: yield* joinSections(sections), moreToCome };
  } catch (error) {
    if (error instanceof EngineError) return { requestId, kind: 'msg', refused: error, moreToCome };
    throw error;
  }
}

interface Sections {
  body: Buffer;
  sequences: Map<string, Buffer[]>;
}

function splitSections(bytes: Buffer, start: number, end: number): Sections {
  let body: Buffer | undefined;
  const sequences = new Map<string, Buffer[]>();
  let at = start;
  while (at < end) {
    const kind = bytes[at];
    at += 1;
    const size = sizeAt(bytes, at, end);
    const section = bytes.subarray(at, at + size);
    at += size;
    if (kind === 0) {
      if (body) throw new WireError('OP_MSG has two bodies');
      body = section;
    } else if (kind === 1) {
      readSequence(section, sequences);
    } else {
      throw new WireError(`unknown OP_MSG section kind ${String(kind)}`);
    }
  }
  if (!body) throw new WireError('OP_MSG has no body');
  return { body, sequences };
}

function readSequence(section: Buffer, into: Map<string, Buffer[]>): void {
  const nul = section.indexOf(0, 4);
  if (nul < 0) throw new WireError('a document sequence has no name');
  const name = section.toString('utf8', 4, nul);
  if (into.has(name)) throw new WireError('a document sequence appears twice');
  const documents: Buffer[] = [];
  for (let at = nul + 1; at < section.length;) {
    const size = sizeAt(section, at, section.length);
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  into.set(name, documents);
}

function sizeAt(bytes: Buffer, at: number, end: number): number {
  if (at + 5 > end) throw new WireError('a section is cut short');
  const size = bytes.readInt32LE(at);
  if (size < 5 || at + size > end) throw new WireError(`a section claims ${size} bytes`);
  return size;
}

function* joinSections({ body, sequences }: Sections): Steps<Document> {
  const document = decodeChecked(body);
  for (const [name, parts] of sequences) {
    if (name === '__proto__' || Object.hasOwn(document, name))
      throw new WireError(`the field "${name}" appears twice`);
    const documents: Document[] = [];
    for (const part of parts) {
      documents.push(decodeChecked(part));
      if (isSliceOver()) yield PAUSE;
    }
    document[name] = documents;
  }
  return document;
}

function decodeChecked(bytes: Buffer): Document {
  if (bytes.length > LIMITS.objectBytes) {
    const message = `BSONObj size: ${bytes.length} (0x${bytes.length.toString(16).toUpperCase()}) is invalid. Size must be between 0 and ${LIMITS.objectBytes}(16MB)`;
    throw new EngineError('BSONObjectTooLarge', message);
  }
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof EngineError && error.code === CODES.CommandNotSupported) throw error;
    throw new WireError(`invalid BSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function parseOpQuery(bytes: Buffer, requestId: number): WireRequest {
  const nul = bytes.indexOf(0, HEADER_BYTES + 4);
  if (nul < 0) throw new WireError('OP_QUERY has no namespace');
  const namespace = bytes.toString('utf8', HEADER_BYTES + 4, nul);
  if (!namespace.endsWith('.$cmd')) throw new WireError('OP_QUERY is only supported for commands');
  const start = nul + 1 + 8;
  const size = sizeAt(bytes, start, bytes.length);
  const sent = decodeChecked(bytes.subarray(start, start + size));
  const inner = sent['$query'];
  const body = (inner !== null && typeof inner === 'object' ? inner : sent) as Document;
  return {
    requestId,
    kind: 'query',
    body: { ...body, $db: namespace.slice(0, -'.$cmd'.length) },
    moreToCome: false,
  };
}

let nextRequestId = 1;

/** Approximate size of the pieces passed to the socket. */
const PIECE_BYTES = 256 * 1024;

/** The bytes of a reply to `request`, in the same kind of message; a long one in several pieces. */
export function* encodeMessage(
  request: Pick<WireRequest, 'requestId' | 'kind'>,
  reply: Document,
): Generator<Buffer> {
  const isQuery = request.kind === 'query';
  const head = Buffer.alloc(isQuery ? HEADER_BYTES + 20 : HEADER_BYTES + 5);
  const { length, parts } = isQuery ? wholeReply(reply) : encodeReply(reply);
  nextRequestId = (nextRequestId + 1) & 0x7fffffff;
  head.writeInt32LE(head.length + length, 0);
  head.writeInt32LE(nextRequestId, 4);
  head.writeInt32LE(request.requestId, 8);
  head.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  // OP_REPLY: flags (AwaitCapable), cursor id, starting point, one document. OP_MSG: no flags, one section of kind 0.
  if (isQuery) {
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
  }
  let piece: Uint8Array[] = [head];
  let size = head.length;
  for (const part of parts) {
    piece.push(part);
    size += part.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(piece);
    piece = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(piece);
}
