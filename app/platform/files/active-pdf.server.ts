import { constants, inflateSync } from 'node:zlib';

/**
 * Names by which a PDF runs or sends something when it is opened or clicked: scripts, programs, forms, media with a player
 * of its own (ISO 32000-2, 12.6.4 and 13.7), and XFA forms, which have scripts of their own. An action at the opening
 * (`OpenAction`) that only goes to a page is harmless, and frequent.
 */
const ACTIVE = ['JavaScript', 'JS', 'Launch', 'SubmitForm', 'ImportData', 'RichMedia', 'XFA'];

/** A file whose objects are locked cannot be looked into. */
const LOCKED = 'Encrypt';

const NAMES = new Set([...ACTIVE, LOCKED]);

/** Streams are opened up to this many bytes in all: a file of a few kB could hold gigabytes. */
const MOST_OPENED_BYTES = 64 * 1024 * 1024;

/** The text of objects with names as they are meant: `#4a` is a way of writing `J` (7.3.5). */
const plainly = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Whether one of the names stands in a text of objects. */
function hasActiveName(text: string): boolean {
  const names = plainly(text).matchAll(/\/([^\s/<>[\](){}%]+)/g);
  return [...names].some(([, name = '']) => NAMES.has(name));
}

/**
 * What the streams of objects hold (7.5.7): newer files pack their objects into those.
 * @returns null when one of them cannot be opened, or all of them are more than is opened
 */
function packedObjects(file: Buffer, text: string): string[] | null {
  const found: string[] = [];
  let left = MOST_OPENED_BYTES;
  for (const { index, 0: keyword } of text.matchAll(/stream\r?\n/g)) {
    const head = plainly(text.slice(Math.max(0, text.lastIndexOf('obj', index)), index));
    if (!head.includes('/ObjStm')) continue;
    const from = index + keyword.length;
    const to = text.indexOf('endstream', from);
    const packed = file.subarray(from, to === -1 ? undefined : to);
    if (!head.includes('/Filter')) {
      found.push(packed.toString('latin1'));
      continue;
    }
    try {
      const opened = inflateSync(packed, { maxOutputLength: left, finishFlush: constants.Z_SYNC_FLUSH });
      left -= opened.length;
      found.push(opened.toString('latin1'));
    } catch {
      return null;
    }
  }
  return found;
}

/**
 * Whether a PDF can run, send or open something, or cannot be looked into. A certificate of a laboratory does nothing of
 * that; certificates are passed on, and opened by whatever program is there.
 */
export function isActivePdf(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = file.toString('latin1');
  // What is inside of a content stream is drawn and not run, and its letters may look like anything.
  const outside = text.replace(/stream\r?\n[^]*?endstream/g, 'stream endstream');
  const packed = packedObjects(file, text);
  return packed === null || [outside, ...packed].some(hasActiveName);
}
