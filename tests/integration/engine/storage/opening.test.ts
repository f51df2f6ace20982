import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkFormat, connect, createTables } from '#models/engine/storage/env/schema.ts';
import { Connection } from '#models/engine/storage/env/sqlite.ts';
import { openStore, type Store } from '#models/engine/storage/index.ts';
import { findAll, insertAll, rejection } from './temporary-store.ts';

let base: string;
let dir: string;
const opened: Store[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'opening-'));
  dir = join(base, 'data');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  rmSync(base, { recursive: true, force: true });
});

async function openIt(at = dir, log: string[] = []): Promise<Store> {
  const store = await openStore({ dir: at, onLog: (_level, message) => log.push(message) });
  opened.push(store);
  return store;
}

async function filled(count = 300): Promise<void> {
  const store = await openIt();
  await store.write((txn) => txn.createIndexes('a.x', [{ key: { n: 1 } }]));
  await insertAll(
    store,
    'a.x',
    Array.from({ length: count }, (_, n) => ({ _id: n, n, text: 'x'.repeat(300) })),
  );
  await store.close();
}

const file = () => join(dir, 'data.db');
/** Runs a statement in the data file. */
function behindItsBack(sql: string): void {
  const db = new Connection(file(), { waitMs: 0 });
  db.run(sql);
  db.close();
}

const refusal = async (at = dir): Promise<string> => (await rejection(openIt(at))).message;

describe('opening a directory', () => {
  it('creates a missing directory that only its owner can use', async () => {
    await openIt(join(dir, 'deep', 'down'));
    expect(readFileSync(join(dir, 'deep', 'down', 'data.db')).length).toBeGreaterThan(0);
  });

  it('creates files that nobody else can open, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await filled(1);
    } finally {
      process.umask(before);
    }
    const modes = [dir, file(), join(dir, 'data.lock')].map((name) => statSync(name).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it('refuses files that others can read, with the command that fixes it', async () => {
    await filled(1);
    chmodSync(dir, 0o755);
    expect(await refusal()).toContain(`chmod 700 ${dir}`);
    chmodSync(dir, 0o700);
    chmodSync(file(), 0o644);
    expect(await refusal()).toMatch(`chmod 600 ${file()}`);
    chmodSync(file(), 0o600);
    expect(findAll(await openIt(), 'a.x')).toHaveLength(1);
  });

  it.runIf(process.getuid?.() === 0)('keeps other users of the computer out', async () => {
    await filled(1);
    chmodSync(base, 0o755);
    const NOBODY = 65_534;
    const attempts = [dir, file(), join(dir, 'data.lock')].map((name) =>
      spawnSync('cat', [name], { uid: NOBODY, gid: NOBODY, encoding: 'utf8' }),
    );
    for (const { status, stderr } of attempts)
      expect([status, stderr]).toEqual([1, expect.stringMatching(/denied/i)]);
  });

  it('twice at once is allowed, and both see the same data', async () => {
    const [one, two] = [await openIt(), await openIt()];
    await insertAll(one, 'a.x', [{ _id: 1 }]);
    expect(findAll(two, 'a.x')).toEqual([{ _id: 1 }]);
  });

  it('refuses a file', async () => {
    writeFileSync(dir, 'text');
    expect(await refusal()).toContain('is a file. Choose a directory.');
    expect(await refusal(join(dir, 'below'))).toContain('is a file. Choose a directory.');
  });

  it('refuses files that SQLite did not write', async () => {
    mkdirSync(dir, { mode: 0o700 });
    writeFileSync(file(), 'this is a text, and long enough to be mistaken for something else. '.repeat(300), {
      mode: 0o600,
    });
    expect(await refusal()).toContain('file is not a database');
  });

  it('refuses a database of another program', async () => {
    mkdirSync(dir, { mode: 0o700 });
    writeFileSync(file(), '', { mode: 0o600 });
    behindItsBack('CREATE TABLE something(a)');
    expect(await refusal()).toContain('contains a database of another program');
  });

  it('refuses a newer format, and says which it reads', async () => {
    await filled();
    behindItsBack('PRAGMA user_version = 7');
    expect(await refusal()).toContain('has format 7; this version of the program reads up to format 2');
  });

  it('refuses the log of a file that is missing', async () => {
    await filled();
    rmSync(file());
    writeFileSync(`${file()}-wal`, 'writes', { mode: 0o600 });
    expect(await refusal()).toContain('data.db is missing, but not the log');
  });

  it('treats an empty file as a new database', async () => {
    mkdirSync(dir, { mode: 0o700 });
    writeFileSync(file(), '', { mode: 0o600 });
    const store = await openIt();
    await insertAll(store, 'a.x', [{ _id: 1 }]);
    expect(findAll(store, 'a.x')).toHaveLength(1);
  });

  it.each([10 * 4096, 4096, 50])('refuses a file with only its first %i bytes', async (bytes) => {
    await filled();
    truncateSync(file(), bytes);
    expect(await refusal()).toMatch(/damaged or an incomplete copy \(.+\).*restore a backup/);
  });

  it.skipIf(process.getuid?.() === 0)('refuses a directory that may not be written', async () => {
    mkdirSync(dir, { mode: 0o500 });
    expect(await refusal()).toContain('does not have read and write permission');
    chmodSync(dir, 0o700);
  });
});

describe('a copied database', () => {
  it('is checked once, then trusted', async () => {
    await filled();
    const copy = join(base, 'copy');
    mkdirSync(copy, { mode: 0o700 });
    copyFileSync(file(), join(copy, 'data.db'));
    const log: string[] = [];
    const store = await openIt(copy, log);
    expect(log).toEqual(['the database was copied or moved here; checking it']);
    expect(findAll(store, 'a.x')).toHaveLength(300);
    await store.close();
    await openIt(copy, log);
    expect(log).toHaveLength(1);
  });

  it('that is inconsistent is refused', async () => {
    await filled();
    const copy = join(base, 'copy');
    mkdirSync(copy, { mode: 0o700 });
    const bytes = readFileSync(file());
    // A page of the copy is older than the rest, as when it was written to meanwhile.
    const at = bytes.lastIndexOf(Buffer.from('xxxxxxxx'));
    bytes.fill(0, at - (at % 4096), at - (at % 4096) + 4096);
    writeFileSync(join(copy, 'data.db'), bytes, { mode: 0o600 });
    expect(await refusal(copy)).toContain('damaged or an incomplete copy');
  });
});

it.each([1, 2])(
  'an empty file may get its tables from another process after %i of its marks were read',
  (reads) => {
    const file = join(base, 'data.sqlite');
    writeFileSync(file, '');
    const [one, other] = [connect(file, 1000), connect(file, 1000)];
    const read = one.value.bind(one);
    let count = 0;
    vi.spyOn(one, 'value').mockImplementation((sql) => {
      if (count === reads) createTables(other);
      count += 1;
      return read(sql);
    });
    checkFormat(base, one);
    expect(count).toBe(3);
    expect(other.value('SELECT count(*) FROM sqlite_schema')).toBeGreaterThan(0);
    one.close();
    other.close();
  },
);
