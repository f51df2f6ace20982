import { constants, inflateSync } from 'node:zlib';

/**
 * Names by which a PDF runs or sends something when it is opened or clicked: scripts, programs, forms, media with their own
 * player (ISO 32000-2, 12.6.4 and 13.7), and XFA forms, which have their own scripts. An `OpenAction` that only goes to a
 * page is harmless, and common.
 */
const ACTIVE = ['JavaScript', 'JS', 'Launch', 'SubmitForm', 'ImportData', 'RichMedia', 'XFA'];

/** An encrypted file cannot be inspected. */
const LOCKED = 'Encrypt';

const NAMES = new Set([...ACTIVE, LOCKED]);

/** Streams are decompressed up to this many bytes in total: a file of a few kB could contain gigabytes. */
const MOST_OPENED_BYTES = 64 * 1024 * 1024;

/** The text of objects with escapes in names decoded: `#4a` is `J` (7.3.5). */
const plainly = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Whether the text of objects contains one of the names. */
function hasActiveName(text: string): boolean {
  const names = plainly(text).matchAll(/\/([^\s/<>[\](){}%]+)/g);
  return [...names].some(([, name = '']) => NAMES.has(name));
}

/**
 * The contents of object streams (7.5.7), in which newer files pack their objects.
 * @returns null if one cannot be decompressed, or if they are too large in total
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
 * Whether a PDF can run, send or open something, or cannot be inspected. Laboratory certificates do nothing of the kind, and
 * they are passed on and opened in any program.
 */
export function isActivePdf(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = file.toString('latin1');
  // Content streams are drawn, not run, and their bytes may look like anything.
  const outside = text.replace(/stream\r?\n[^]*?endstream/g, 'stream endstream');
  const packed = packedObjects(file, text);
  return packed === null || [outside, ...packed].some(hasActiveName);
}
