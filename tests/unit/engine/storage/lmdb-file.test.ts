import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  earlierFiles,
  findEarlierFile,
  processesUsing,
  standIn,
} from '#models/engine/storage/migration/lmdb-directory.ts';
import { lastTransaction, LmdbFileError, readLmdbFile } from '#models/engine/storage/migration/lmdb-file.ts';
import { decode } from '#models/engine/values/decode.ts';
import { unpackEarlier, type Earlier } from '#tests/integration/engine/storage/earlier.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lmdb-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string): string => path.join(dir, name);

/** The number of entries, and a hash of all keys and values. */
function digestOf(file: string): string {
  const hash = createHash('sha256');
  let count = 0;
  for (const { key, value } of readLmdbFile(file)) {
    hash.update(`${key.length} ${value.length} `).update(key).update(value);
    count += 1;
  }
  return `${count} ${hash.digest('hex')}`;
}

function unpack(name: Earlier): string {
  unpackEarlier(name, dir);
  return findEarlierFile(dir)?.path ?? '';
}

describe('an LMDB file', () => {
  // What the `lmdb` package read from the same files.
  const READ_BY_LMDB: [Earlier, string, string][] = [
    ['app', 'data.mdb', '6014 2d37efae5652ddadb5fd0a70fc5f5e451477178b4d5fd4af8a9c83d813bebab8'],
    ['compacted', 'data-2.mdb', '1826 32b14a394e53a93e3c1700f33cd3fe4fb6b8862e1c1b0993bce2d63556b9d0af'],
    ['interrupted', 'data.mdb', '1725 04d49682b87fb976da7723fcb2bbb843e6c5ec7b6d8f37356b0c8af7e808f616'],
    ['swapped', 'data-1.mdb', '914 8e7518b8222fce9db96c394fc0f7e2c0d24b4dd820a0a111bb456b4612c98739'],
    ['long-keys', 'data.mdb', '241 19c8896a6b33c518a606806f22f403e8df72c32cc1c87c7bc6d7295889236b44'],
    ['restoring', 'data.mdb', '14 d25bf1eaa7bd08b8656112adb0268f3ea51f7af360f6c110bb30641eb4ae0ad5'],
    ['foreign', 'data.mdb', '1 6061e7270042d5f6ce4c5dc39badffa50e2fc935c022050a61b031d11a836661'],
  ];

  it.each(READ_BY_LMDB)('is read as by LMDB itself: %s, of which %s is current', (name, file, digest) => {
    expect(unpack(name)).toBe(at(file));
    expect(digestOf(at(file))).toBe(digest);
  });

  it('without entries has none, and one may stop reading', () => {
    const file = unpack('foreign');
    const bytes = readFileSync(file);
    // Back to the state before its only transaction.
    bytes.writeBigUInt64LE(0n, 4096 + 152);
    writeFileSync(file, bytes);
    expect([...readLmdbFile(file)]).toEqual([]);
    const [first] = readLmdbFile(unpack('app'));
    expect(Buffer.from(first?.key ?? []).toString()).toBe('cvialbook.addresses');
  });

  it('that is written to while it is read is refused', () => {
    const file = unpack('app');
    const before = lastTransaction(file);
    const reading = readLmdbFile(file);
    reading.next();
    const bytes = readFileSync(file);
    bytes.writeBigUInt64LE(before + 1n, newest(bytes) + 152);
    writeFileSync(file, bytes);
    expect(() => [...reading]).toThrow(/another program has written/);
    expect(lastTransaction(file)).toBe(before + 1n);
  });

  const PAGE = 4096;
  /** The meta page of the current state. */
  const newest = (bytes: Buffer): number =>
    bytes.readBigUInt64LE(152) > bytes.readBigUInt64LE(PAGE + 152) ? 0 : PAGE;
  const rootPage = (bytes: Buffer): number => Number(bytes.readBigUInt64LE(newest(bytes) + 136)) * PAGE;
  const firstNode = (bytes: Buffer): number => {
    const root = rootPage(bytes);
    return root + 24 + bytes.readUInt16LE(root + 24);
  };

  const DAMAGES: [string, (bytes: Buffer) => void, RegExp][] = [
    ['is something else', (bytes) => bytes.fill('something else '), /not an LMDB file/],
    ['has no magic number', (bytes) => bytes.writeUInt32LE(0, 24), /not an LMDB file/],
    ['has another version', (bytes) => bytes.writeUInt32LE(1, 28), /version 1/],
    ['has a damaged second header', (bytes) => bytes.fill(0, PAGE, 2 * PAGE), /second header/],
    ['has an impossible page size', (bytes) => bytes.writeUInt32LE(4097, 48), /header is damaged/],
    ['is encrypted', (bytes) => bytes.writeUInt16LE(0x2000, newest(bytes) + 52), /encrypted/],
    ['has numeric keys', (bytes) => bytes.writeUInt16LE(0x08, newest(bytes) + 100), /another program/],
    [
      'has a root beyond its last page',
      (bytes) => bytes.writeBigUInt64LE(10_000n, newest(bytes) + 136),
      /out of range/,
    ],
    [
      'has a root that is a header',
      (bytes) => bytes.writeBigUInt64LE(1n, newest(bytes) + 136),
      /out of range/,
    ],
    ['has another page in its place', (bytes) => bytes.writeUInt32LE(77, rootPage(bytes)), /damaged/],
    ['has a page of no kind', (bytes) => bytes.writeUInt16LE(0, rootPage(bytes) + 18), /damaged/],
    ['has a node outside of its page', (bytes) => bytes.writeUInt16LE(PAGE, rootPage(bytes) + 24), /damaged/],
    [
      'leads back to itself',
      (bytes) => bytes.writeUInt32LE(rootPage(bytes) / PAGE, firstNode(bytes)),
      /tree is damaged/,
    ],
    [
      'has lost a node',
      (bytes) => bytes.writeUInt16LE(bytes.readUInt16LE(rootPage(bytes) + 20) - 2, rootPage(bytes) + 20),
      /entries were found/,
    ],
    [
      'has a page twice',
      (bytes) => bytes.copy(bytes, rootPage(bytes) + 26, rootPage(bytes) + 24, rootPage(bytes) + 26),
      /not in order/,
    ],
  ];

  it.each(DAMAGES)('that %s is refused', (_what, damage, reason) => {
    const file = unpack('app');
    const bytes = readFileSync(file);
    damage(bytes);
    writeFileSync(file, bytes);
    expect(() => digestOf(file)).toThrow(LmdbFileError);
    expect(() => digestOf(file)).toThrow(reason);
  });

  it('that is incomplete is refused, wherever it ends; empty pages at its end may be missing', () => {
    const file = unpack('app');
    const whole = readFileSync(file);
    for (const size of [0, 100, PAGE, PAGE + 100, whole.length >> 1, 3 * PAGE]) {
      truncateSync(file, size);
      expect(() => digestOf(file)).toThrow(LmdbFileError);
      writeFileSync(file, whole);
    }
    whole.writeBigUInt64LE(whole.readBigUInt64LE(newest(whole) + 144) + 50n, newest(whole) + 144);
    writeFileSync(file, whole);
    expect(digestOf(file)).toBe(READ_BY_LMDB[0]?.[2]);
  });
});

describe('a directory of the earlier versions', () => {
  it('has no processes of the past, but those that have its files open', async () => {
    const file = { path: unpack('interrupted'), lock: at('lock.mdb') };
    expect(processesUsing(file)).toEqual([]);
    // A reader that was killed, and whose number another process has now.
    const lock = readFileSync(file.lock);
    lock.writeInt32LE(process.ppid, lock.length - 64 * 1024 + 8);
    writeFileSync(file.lock, lock);
    if (process.platform === 'linux') expect(processesUsing(file)).toEqual([]);

    const holding = `require('fs').openSync(${JSON.stringify(file.lock)}, 'r+'); process.send('open'); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(other, 'message');
    lock.writeInt32LE(other.pid ?? 0, lock.length - 64 * 1024 + 8);
    writeFileSync(file.lock, lock);
    expect(processesUsing(file)).toEqual([other.pid]);
    other.kill('SIGKILL');
    await once(other, 'close');
    expect(processesUsing(file)).toEqual([]);
  });

  it('has one current file; everything else that those versions wrote is known as theirs', () => {
    writeFileSync(at('data.db'), '');
    expect([findEarlierFile(dir), earlierFiles(dir)]).toEqual([null, []]);
    unpack('interrupted');
    unpack('compacted');
    writeFileSync(at('notes.txt'), '');
    expect(findEarlierFile(dir)).toEqual({ path: at('data-2.mdb'), lock: at('data-2.mdb-lock') });
    expect(
      earlierFiles(dir)
        .map((name) => path.basename(name).replace(/-[0-9a-f]{12}/, ''))
        .toSorted(),
    ).toEqual([
      'compact.tmp',
      'compact.tmp-lock',
      'data-1.mdb',
      'data-2.mdb',
      'data-2.mdb-lock',
      'data.mdb',
      'lock.mdb',
    ]);
  });

  it('gets a stand-in that is an LMDB file of a later format', () => {
    writeFileSync(at('data.mdb'), standIn());
    const entries = [...readLmdbFile(at('data.mdb'))];
    expect(entries.map(({ key }) => Buffer.from(key).toString())).toEqual(['mformat']);
    expect(decode(Buffer.from(entries[0]?.value ?? []))).toMatchObject({ version: 2 });
  });
});
