import { deserialize } from 'bson';

/** A BSON value, with dates as `Date` and integers as numbers. Undefined if the document has no such field. */
type FieldValue = string | number | boolean | Date | null | undefined | object;

/** The BSON element types that are read here (https://bsonspec.org/spec.html). */
const TYPE = { double: 1, string: 2, document: 3, boolean: 8, date: 9, null: 10, int32: 16 } as const;

interface WantedField {
  name: Uint8Array;
  /** Index of its value; −1 for a subdocument of which only parts are wanted. */
  slot: number;
  inner: Layout | null;
}

/** Wanted fields by a hash of their names. */
type Layout = Map<number, WantedField[]>;

const UNKNOWN_TYPE = Symbol('unknown type');

function layoutOf(paths: readonly (readonly [path: string, slot: number])[]): Layout {
  const heads = new Map<string, (readonly [string, number])[]>();
  for (const [path, slot] of paths) {
    const [head = '', ...rest] = path.split('.');
    heads.set(head, [...(heads.get(head) ?? []), [rest.join('.'), slot]]);
  }
  const layout: Layout = new Map();
  for (const [head, parts] of heads) {
    const name = Buffer.from(head);
    const whole = parts.find(([rest]) => rest === '');
    const field = { name, slot: whole?.[1] ?? -1, inner: whole ? null : layoutOf(parts) };
    const hash = name.reduce(mix, 0);
    layout.set(hash, [...(layout.get(hash) ?? []), field]);
  }
  return layout;
}

function mix(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

function sameName(bytes: Uint8Array, at: number, name: Uint8Array, end: number): boolean {
  if (end - at !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (bytes[at + index] !== name[index]) return false;
  return true;
}

/** Bytes of an element's value. */
function sizeOf(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case TYPE.double:
    case TYPE.date:
      return 8;
    case TYPE.string:
      return 4 + bytes.readInt32LE(at);
    case TYPE.document:
      return bytes.readInt32LE(at);
    case TYPE.boolean:
      return 1;
    case TYPE.null:
      return 0;
    case TYPE.int32:
      return 4;
    default:
      throw UNKNOWN_TYPE;
  }
}

function valueOf(bytes: Buffer, type: number, at: number, size: number): FieldValue {
  switch (type) {
    case TYPE.double:
      return bytes.readDoubleLE(at);
    case TYPE.date:
      return new Date(bytes.readInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at));
    case TYPE.string:
      return bytes.toString('utf8', at + 4, at + size - 1);
    case TYPE.boolean:
      return bytes[at] === 1;
    case TYPE.null:
      return null;
    case TYPE.int32:
      return bytes.readInt32LE(at);
    default:
      throw UNKNOWN_TYPE;
  }
}

/** Walks a document's elements and puts the wanted ones into their slots. */
function walk(bytes: Buffer, start: number, layout: Layout, into: FieldValue[]): void {
  let at = start + 4;
  for (let type = bytes[at]; type !== 0 && type !== undefined; type = bytes[at]) {
    const name = at + 1;
    let hash = 0;
    let end = name;
    for (let byte = bytes[end] ?? 0; byte !== 0; byte = bytes[++end] ?? 0) hash = mix(hash, byte);
    at = end + 1;
    const size = sizeOf(bytes, type, at);
    const field = layout.get(hash)?.find((wanted) => sameName(bytes, name, wanted.name, end));
    if (field !== undefined) {
      if (field.inner === null) into[field.slot] = valueOf(bytes, type, at, size);
      else if (type === TYPE.document) walk(bytes, at, field.inner, into);
    }
    at += size;
  }
}

/** Slow path, for documents with other types. */
function decoded(bytes: Buffer, paths: readonly string[]): FieldValue[] {
  const whole = deserialize(bytes);
  return paths.map((path) =>
    path
      .split('.')
      .reduce<FieldValue>((value, key) => (value as Record<string, FieldValue> | undefined)?.[key], whole),
  );
}

/**
 * Returns a function that reads some fields from a document's bytes, in the given order, and skips the rest. An export
 * reads a million documents, and decoding each one completely would cost three times as much.
 * @param paths field names; `a.b` is field b of the document a
 */
export function fieldReader(paths: readonly string[]): (bytes: Uint8Array) => FieldValue[] {
  const layout = layoutOf(paths.map((path, slot) => [path, slot]));
  return (document) => {
    const bytes = Buffer.isBuffer(document)
      ? document
      : Buffer.from(document.buffer, document.byteOffset, document.length);
    const into = new Array<FieldValue>(paths.length).fill(undefined);
    try {
      walk(bytes, 0, layout, into);
      return into;
    } catch (error) {
      if (error !== UNKNOWN_TYPE) throw error;
      return decoded(bytes, paths);
    }
  };
}

/** The part of the driver's cursor used here; its documents are left as bytes. */
interface RawCursor {
  hasNext(): Promise<boolean>;
  readBufferedDocuments(): unknown[];
  close(): Promise<void>;
}

/** Rows created at once: few enough to be released before the garbage collector runs. */
const PIECE = 100;

/**
 * A raw cursor's rows, in pieces. While one batch is processed, the next is fetched, but no more than one ahead:
 * fetching and processing overlap, and a slow reader still slows the database down.
 * @param read makes a row from a document's bytes, at a third of the cost of the driver's decoding
 */
export async function* batchesOf<T>(cursor: RawCursor, read: (bytes: Uint8Array) => T): AsyncGenerator<T[]> {
  try {
    let more = await cursor.hasNext();
    while (more) {
      const batch = cursor.readBufferedDocuments() as Uint8Array[];
      const next = cursor.hasNext();
      // Avoids an unhandled rejection: a failure is thrown when this batch's turn comes.
      next.catch(() => undefined);
      for (let from = 0; from < batch.length; from += PIECE) {
        yield batch.slice(from, from + PIECE).map((bytes) => read(bytes));
      }
      more = await next;
    }
  } finally {
    await cursor.close();
  }
}
