import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Reads the data files of earlier versions of the program, which stored everything with LMDB.
 *
 * A file consists of pages of equal size. The first two are meta pages, written in turn: the one with the higher transaction
 * number describes the current state. From there, a tree of branch and leaf pages holds the entries in the order of their
 * keys; a value that is too long for a leaf is on overflow pages, one after the other. All numbers are little-endian. This is
 * the format of the LMDB in the `lmdb` package (`mdb.c` there), in which a page header has 24 bytes.
 *
 * Nobody may write to the file meanwhile: a writer reuses pages that only earlier states needed. Reading notices it.
 */

export interface LmdbEntry {
  key: Uint8Array;
  value: Uint8Array;
}

/** A file that is not an LMDB file of the earlier versions, or is damaged or incomplete. */
export class LmdbFileError extends Error {
  override name = 'LmdbFileError';

  constructor(path: string, reason: string) {
    super(`${path} cannot be read: ${reason}`);
  }
}

const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const META = {
  magic: 24,
  version: 28,
  free: 48,
  main: 96,
  lastPage: 144,
  transaction: 152,
  end: 160,
} as const;
/** Offsets in the description of a tree. In that of the free pages, the first two are the page size and the file's flags. */
const TREE = { pageSize: 0, flags: 4, depth: 6, entries: 32, root: 40 } as const;
const ENCRYPTED = 0x2000;
/** Reversed or numeric keys, and several values for a key: the program used none of them. */
const OTHER_ORDERS = 0x7e;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const LEAST_PAGE = 512;
const LARGEST_PAGE = 65_536;

const PAGE = { number: 0, flags: 18, lower: 20, pages: 20, header: 24 } as const;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const PAGE_KINDS = 0x6f;

/** Offsets in a node of a page: the size of a value (in a branch: a page number of 6 bytes), flags, the size of the key. */
const NODE = { size: 0, flags: 4, keySize: 6, header: 8 } as const;
const ON_OVERFLOW_PAGES = 0x01;
const PLACE_BYTES = 24;

interface Meta {
  pageSize: number;
  lastPage: number;
  transaction: bigint;
  depth: number;
  entries: number;
  /** Null in an empty file. */
  root: number | null;
}

class LmdbFile {
  private readonly size: number;
  readonly meta: Meta;

  constructor(
    private readonly path: string,
    private readonly fd: number,
  ) {
    this.size = fstatSync(fd).size;
    const first = this.readMeta(0);
    const second = this.readMeta(first.pageSize);
    this.meta = second.transaction > first.transaction ? second : first;
  }

  error(reason: string): LmdbFileError {
    return new LmdbFileError(this.path, reason);
  }

  private read(at: number, length: number): Buffer {
    if (at + length > this.size) throw this.error(`it is incomplete: it has only ${this.size} bytes`);
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length;) {
      const count = readSync(this.fd, bytes, done, length - done, at + done);
      if (count === 0) throw this.error('it is incomplete');
      done += count;
    }
    return bytes;
  }

  private readMeta(at: number): Meta {
    if (this.size < META.end) throw this.error('it is not an LMDB file');
    const bytes = this.read(at, META.end);
    if (bytes.readUInt32LE(META.magic) !== MAGIC)
      throw this.error(at === 0 ? 'it is not an LMDB file' : 'its second header is damaged');
    const version = bytes.readUInt32LE(META.version) & 0xffff;
    if (version !== FORMAT) throw this.error(`it has version ${version} of the LMDB format, not ${FORMAT}`);
    if (bytes.readUInt16LE(META.free + TREE.flags) & ENCRYPTED) throw this.error('it is encrypted');
    if (bytes.readUInt16LE(META.main + TREE.flags) & OTHER_ORDERS)
      throw this.error('it is a database of another program');
    const pageSize = bytes.readUInt32LE(META.free + TREE.pageSize);
    if (pageSize < LEAST_PAGE || pageSize > LARGEST_PAGE || (pageSize & (pageSize - 1)) !== 0)
      throw this.error('its header is damaged');
    const root = bytes.readBigUInt64LE(META.main + TREE.root);
    return {
      pageSize,
      lastPage: Number(bytes.readBigUInt64LE(META.lastPage)),
      transaction: bytes.readBigUInt64LE(META.transaction),
      depth: bytes.readUInt16LE(META.main + TREE.depth),
      entries: Number(bytes.readBigUInt64LE(META.main + TREE.entries)),
      root: root === NO_PAGE ? null : Number(root),
    };
  }

  private locate(number: number, length: number): number {
    const { lastPage, pageSize } = this.meta;
    // The first two pages are the meta pages.
    if (number < 2 || number + Math.ceil(length / pageSize) - 1 > lastPage)
      throw this.error(`page ${number} is out of range`);
    return number * pageSize;
  }

  page(number: number): Page {
    const { pageSize } = this.meta;
    const bytes = this.read(this.locate(number, pageSize), pageSize);
    return new Page(this, number, bytes);
  }

  /** A value on overflow pages, of which only the first has a header. */
  overflow(number: number, size: number, pages: number): Uint8Array {
    const length = PAGE.header + size;
    if (Math.ceil(length / this.meta.pageSize) > pages) throw this.error(`page ${number} is damaged`);
    const bytes = this.read(this.locate(number, length), length);
    const isRight =
      (bytes.readUInt16LE(PAGE.flags) & PAGE_KINDS) === OVERFLOW && bytes.readUInt32LE(PAGE.pages) === pages;
    if (!isRight || Number(bytes.readBigUInt64LE(PAGE.number)) !== number)
      throw this.error(`page ${number} is damaged`);
    return bytes.subarray(PAGE.header);
  }
}

/** A branch or leaf page, whose nodes are read one after the other. */
class Page {
  readonly isLeaf: boolean;
  private readonly count: number;
  private next = 0;

  constructor(
    private readonly file: LmdbFile,
    private readonly number: number,
    private readonly bytes: Buffer,
  ) {
    const kind = bytes.readUInt16LE(PAGE.flags) & PAGE_KINDS;
    const lower = bytes.readUInt16LE(PAGE.lower);
    if (Number(bytes.readBigUInt64LE(PAGE.number)) !== number || (kind !== LEAF && kind !== BRANCH))
      throw this.damaged();
    if (PAGE.header + lower > bytes.length) throw this.damaged();
    this.isLeaf = kind === LEAF;
    this.count = lower >> 1;
  }

  private damaged(): LmdbFileError {
    return this.file.error(`page ${this.number} is damaged`);
  }

  /** Where the next node begins; null after the last. */
  private nextNode(): number | null {
    if (this.next === this.count) return null;
    const at = PAGE.header + this.bytes.readUInt16LE(PAGE.header + 2 * this.next);
    this.next += 1;
    if (at + NODE.header > this.bytes.length) throw this.damaged();
    return at;
  }

  private part(at: number, length: number): Buffer {
    if (at + length > this.bytes.length) throw this.damaged();
    return this.bytes.subarray(at, at + length);
  }

  /** The page below a branch's next node; null after the last. */
  nextPage(): number | null {
    const at = this.nextNode();
    return at === null ? null : this.bytes.readUIntLE(at + NODE.size, 6);
  }

  /** A leaf's next entry; null after the last. */
  nextEntry(): LmdbEntry | null {
    const at = this.nextNode();
    if (at === null) return null;
    const size = this.bytes.readUInt32LE(at + NODE.size);
    const flags = this.bytes.readUInt16LE(at + NODE.flags);
    const key = this.part(at + NODE.header, this.bytes.readUInt16LE(at + NODE.keySize));
    const rest = at + NODE.header + key.length;
    if (flags === 0) return { key, value: this.part(rest, size) };
    if (flags !== ON_OVERFLOW_PAGES) throw this.file.error('it contains databases of another program');
    const place = this.part(rest, PLACE_BYTES);
    const pages = Number(place.readBigUInt64LE(16));
    return { key, value: this.file.overflow(Number(place.readBigUInt64LE(0)), size, pages) };
  }
}

/** The number of the last write to a file. It changes with every write. @throws LmdbFileError */
export function lastTransaction(path: string): bigint {
  const fd = openSync(path, 'r');
  try {
    return new LmdbFile(path, fd).meta.transaction;
  } finally {
    closeSync(fd);
  }
}

/**
 * All entries of a file's current state in the order of their keys, a page at a time. Keys and values are the caller's to
 * keep; short ones share the memory of their page.
 * @throws LmdbFileError when it is not such a file, or damaged: also after some entries, and at the end if any is missing
 */
export function* readLmdbFile(path: string): Generator<LmdbEntry> {
  const fd = openSync(path, 'r');
  try {
    const file = new LmdbFile(path, fd);
    const { root, depth, entries } = file.meta;
    const open = root === null ? [] : [file.page(root)];
    let count = 0;
    let last: Uint8Array | null = null;
    for (let page = open.at(-1); page; page = open.at(-1)) {
      const below = page.isLeaf ? null : page.nextPage();
      const entry = page.isLeaf ? page.nextEntry() : null;
      if (below !== null) {
        if (open.length === depth) throw file.error('its tree is damaged');
        open.push(file.page(below));
      } else if (entry === null) open.pop();
      else {
        // Also ends a tree that leads back to itself.
        if (last && Buffer.compare(last, entry.key) >= 0) throw file.error('its keys are not in order');
        last = entry.key;
        count += 1;
        yield entry;
      }
    }
    if (new LmdbFile(path, fd).meta.transaction !== file.meta.transaction)
      throw file.error('another program has written to it in the meantime');
    if (count !== entries) throw file.error(`${count} of its ${entries} entries were found`);
  } finally {
    closeSync(fd);
  }
}
