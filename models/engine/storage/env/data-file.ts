import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { damaged } from './failures.ts';

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
/** Offsets in a meta page of the LMDB that the `lmdb` package builds: 24 bytes of page header, then the meta record. */
const MAGIC_AT = 24;
const VERSION_AT = 28;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const TXN_AT = 152;
const META_BYTES = 160;

interface Meta {
  pageSize: number;
  lastPage: number;
  txn: bigint;
}

function readMeta(fd: number, at: number): Meta | null {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(fd, bytes, 0, META_BYTES, at) !== META_BYTES) return null;
  if (bytes.readUInt32LE(MAGIC_AT) !== MAGIC || (bytes.readUInt32LE(VERSION_AT) & 0xffff) !== DATA_VERSION)
    return null;
  return {
    pageSize: bytes.readUInt32LE(PAGE_SIZE_AT),
    lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE_AT)),
    txn: bytes.readBigUInt64LE(TXN_AT),
  };
}

/**
 * Looks at LMDB's file before it is mapped into memory: reading a mapped page that the file does not have kills the
 * process. An absent or empty file is a new database.
 * @throws EngineError when the file is no database or shorter than its own header says.
 */
export function checkDataFile(dir: string, file: string): void {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    if (fstatSync(fd).size === 0) return;
    const first = readMeta(fd, 0);
    if (!first) throw damaged(dir, 'its header is not that of a database');
    const second = readMeta(fd, first.pageSize);
    if (!second) throw damaged(dir, 'its second header is missing');
    const newest = second.txn > first.txn ? second : first;
    const needed = (newest.lastPage + 1) * newest.pageSize;
    // After the headers: another process may be making the file longer, and it writes pages before headers.
    const { size } = fstatSync(fd);
    if (size < needed) throw damaged(dir, `the file has ${size} of ${needed} bytes`);
  } finally {
    closeSync(fd);
  }
}
