/** Field names repeat from document to document: those of usual length are made into strings only once. */
const SLOTS = 4096;
const LONGEST = 48;

interface Known {
  bytes: Uint8Array;
  text: string;
}

const known: (Known | undefined)[] = new Array<Known | undefined>(SLOTS);

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}

/** The name in the bytes from `start` up to `end`; `hash` is any number computed from just these bytes. */
export function nameFrom(bytes: Buffer, start: number, end: number, hash: number): string {
  const length = end - start;
  if (length > LONGEST) return bytes.toString('utf8', start, end);
  const slot = hash & (SLOTS - 1);
  const entry = known[slot];
  if (entry && isSame(entry.bytes, bytes, start, length)) return entry.text;
  const text = bytes.toString('utf8', start, end);
  known[slot] = { bytes: Uint8Array.prototype.slice.call(bytes, start, end), text };
  return text;
}
