import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';

const WRITER_AT = 64;
/** `FUTEX_TID_MASK`: the other bits stay set when the thread that held the lock has ended. */
const THREAD = 0x3fffffff;

/**
 * Watches LMDB's lock for writing, which names the thread that holds it.
 * @returns a function that tells whether a thread is writing
 */
export function watchWriter(dir) {
  // Never closed: that would take LMDB's own locks away.
  const lock = fs.openSync(path.join(dir, 'lock.mdb'), 'r');
  const writer = Buffer.alloc(4);
  return () => fs.readSync(lock, writer, 0, 4, WRITER_AT) === 4 && (writer.readUInt32LE() & THREAD) !== 0;
}
