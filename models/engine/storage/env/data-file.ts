import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
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

/** The offsets of the transaction numbers in a database's two headers; null if it is not a database. */
export function transactionsAt(fd: number): [number, number] | null {
  const first = readMeta(fd, 0);
  return first && [TXN_AT, first.pageSize + TXN_AT];
}

/** More than this can only be missing from an incomplete copy. */
const MOST_UNWRITTEN_BYTES = 16 * 1024 * 1024;

interface Lengths {
  size: number;
  /** According to the newer header. */
  needed: number;
}

function lengthsOf(dir: string, fd: number): Lengths {
  if (fstatSync(fd).size === 0) return { size: 0, needed: 0 };
  const first = readMeta(fd, 0);
  if (!first) throw damaged(dir, 'its header is not a database header');
  const second = readMeta(fd, first.pageSize);
  if (!second) throw damaged(dir, 'its second header is missing');
  const newest = second.txn > first.txn ? second : first;
  // The size is read after the headers, because another process may be extending the file, and it writes pages first.
  return { needed: (newest.lastPage + 1) * newest.pageSize, size: fstatSync(fd).size };
}

/**
 * Bytes missing at the end of LMDB's file; 0 for an absent or empty one, which is a new database.
 * @throws EngineError when the file is not a database
 */
export function missingBytes(dir: string, file: string): number {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  try {
    const { size, needed } = lengthsOf(dir, fd);
    if (needed - size > MOST_UNWRITTEN_BYTES) throw damaged(dir, `the file has ${size} of ${needed} bytes`);
    return Math.max(0, needed - size);
  } finally {
    closeSync(fd);
  }
}

/**
 * Extends LMDB's file to the length in its header before it is mapped into memory, because reading a mapped page beyond
 * the end of the file kills the process. LMDB itself can leave a file too short, since it never writes pages that a transaction
 * allocated and freed again. An incomplete copy looks the same, and only reading everything tells them apart.
 * @returns whether the file was already complete
 * @throws EngineError when the file is not a database, or far too short
 */
export function completeDataFile(dir: string, file: string): boolean {
  const missing = missingBytes(dir, file);
  // Appends, so that nothing written by another process in the meantime can be overwritten.
  if (missing > 0) appendFileSync(file, Buffer.alloc(missing));
  return missing === 0;
}
