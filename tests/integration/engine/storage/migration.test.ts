import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupStore, restoreStore, startEngine, verifyStore, type LogEntry } from '#models/engine/index.ts';
import { readLmdbFile } from '#models/engine/storage/migration/lmdb-file.ts';
import { runCli } from '#tests/support/cli.ts';
import { sized } from '#tests/support/size.ts';
import { bundleEngine } from '#tests/support/rounds/bundle.mjs';
import {
  archiveFile,
  contentOf,
  DELETED,
  EARLIER,
  earlierExport,
  unpackEarlier,
  withoutColumns,
} from './earlier.ts';
import { rejection } from './temporary-store.ts';

let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'earlier-'));
  dir = path.join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Everything in an archive: collections with indexes, and the documents' exact bytes. */
const archived = (name: (typeof EARLIER)[number]) => contentOf(createReadStream(archiveFile(name)));
const stored = () => contentOf(backupStore({ dir }));

/** All files with their contents. */
const files = (): [string, string][] =>
  readdirSync(dir)
    .toSorted()
    .map((name) => [name, readFileSync(path.join(dir, name)).toString('base64')]);

describe('a data directory of an earlier version', () => {
  it.each(EARLIER)('%s: is migrated when it is opened, with everything in it', async (name) => {
    unpackEarlier(name, dir);
    const expected = await archived(name);
    expect(await verifyStore({ dir })).toMatchObject({ ok: true, problems: [] });
    expect(await stored()).toEqual(expected);

    // Nothing is left of the earlier version but what makes it refuse the directory.
    const left = readdirSync(dir).filter((file) => !file.startsWith('data.db'));
    expect(left.filter((file) => file.includes('.mdb') || file.endsWith('.tmp'))).toEqual(['data.mdb']);
    expect([...readLmdbFile(path.join(dir, 'data.mdb'))]).toHaveLength(1);
    expect(files().filter(([, bytes]) => Buffer.from(bytes, 'base64').includes(DELETED))).toEqual([]);
    for (const file of readdirSync(dir)) expect(statSync(path.join(dir, file)).mode & 0o077).toBe(0);

    // And it is not migrated again, but goes on.
    const log: LogEntry[] = [];
    const engine = await startEngine({ dir, log: (entry) => log.push(entry) });
    const client = await new MongoClient(engine.uri).connect();
    await client.db('vialbook').collection<{ _id: string }>('later').insertOne({ _id: 'written later' });
    await client.close();
    await engine.close();
    expect(log).toEqual([]);
    const { 'vialbook.later': later, ...others } = await stored();
    expect([later?.documents, others]).toEqual([1, expected]);
  });

  /** Columns that calculations have had since; empty for everything that was saved before. */
  const SINCE = ['form', 'amountUnit', 'clickMl', 'sprayMl', 'pieces', 'vials'];

  it('exports what it exported before, but for empty columns added since', async () => {
    unpackEarlier('app', dir);
    const types =
      'calculations,lots,compounds,schedules,doses,nutrition,sideEffects,injectionSites,measurements,supplies';
    for (const format of ['csv', 'json'] as const) {
      const options = ['--user', 'ada@example.org', '--format', format, '--types', types, '--no-metadata'];
      const exported = await runCli(['export', ...options, '--out', '-'], { env: { DATA_DIR: dir } });
      expect(exported.code).toBe(0);
      expect(withoutColumns(exported.stdout, format, SINCE)).toEqual(
        withoutColumns(earlierExport(format), format, []),
      );
    }
  });

  it.each(EARLIER)('%s: can also be moved by its archive', async (name) => {
    const source = () => createReadStream(archiveFile(name));
    await restoreStore({ dir, source });
    expect(await stored()).toEqual(await archived(name));
    expect(await verifyStore({ dir })).toMatchObject({ ok: true });
  });

  it('is refused and left as it was if it is damaged, incomplete, unfinished or not ours', async () => {
    const data = path.join(dir, 'data.mdb');
    const refused = async (message: RegExp) => {
      const before = files();
      expect((await rejection(verifyStore({ dir }))).message).toMatch(message);
      const engine = startEngine({ dir });
      await expect(engine).rejects.toThrow(message);
      expect(files().filter(([name]) => before.some(([known]) => known === name))).toEqual(before);
      rmSync(dir, { recursive: true });
    };
    unpackEarlier('restoring', dir);
    await refused(/was interrupted/);
    unpackEarlier('foreign', dir);
    await refused(/another program/);
    // Without its data file, only an empty one is left, or the stand-in.
    for (const lost of [['data-2.mdb'], ['data-2.mdb', 'data-1.mdb']]) {
      unpackEarlier('compacted', dir);
      for (const name of lost) rmSync(path.join(dir, name));
      await refused(/is missing/);
    }
    unpackEarlier('app', dir);
    truncateSync(data, 900_000);
    await refused(/damaged/);
    unpackEarlier('app', dir);
    const bytes = readFileSync(data);
    // A page that the tree needs, in the middle of the file.
    bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 40_960);
    writeFileSync(data, bytes);
    await refused(/damaged/);
  });

  it('is refused while another program has it open, and migrated once that has ended', async () => {
    unpackEarlier('interrupted', dir);
    const lock = path.join(dir, 'lock.mdb');
    const holding = `require('fs').openSync(${JSON.stringify(lock)}, 'r+'); process.send('open'); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(other, 'message');
    const pid = Buffer.alloc(4);
    pid.writeInt32LE(other.pid ?? 0);
    const bytes = readFileSync(lock);
    pid.copy(bytes, bytes.length - 64 * 1024 + 8);
    writeFileSync(lock, bytes);
    expect((await rejection(verifyStore({ dir }))).message).toContain(String(other.pid));
    other.kill('SIGKILL');
    await once(other, 'close');
    expect(await verifyStore({ dir })).toMatchObject({ ok: true });
    expect(await stored()).toEqual(await archived('interrupted'));
  });
});

describe('a migration', () => {
  const CHILD = fileURLToPath(new URL('./migrating.mjs', import.meta.url));

  async function migrate(url: string, ...args: string[]) {
    const child = spawn(process.execPath, [CHILD, url, dir, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed, [, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const [, report] = printed.split('\n');
    return { signal, report: report ? (JSON.parse(report) as { calls: number; ok: boolean }) : null };
  }

  it('that is killed anywhere starts over, and ends the same', async () => {
    const url = await bundleEngine('migration-test');
    unpackEarlier('compacted', dir);
    const calls = (await migrate(url)).report?.calls ?? 0;
    expect(calls).toBeGreaterThan(3);
    const expected = await archived('compacted');
    for (let dieAt = 1; dieAt <= calls; dieAt += sized(3, 1)) {
      rmSync(dir, { recursive: true });
      unpackEarlier('compacted', dir);
      expect(await migrate(url, String(dieAt))).toMatchObject({ signal: 'SIGKILL' });
      expect(await verifyStore({ dir })).toMatchObject({ ok: true });
      expect(await stored()).toEqual(expected);
      expect(files().filter(([, bytes]) => Buffer.from(bytes, 'base64').includes(DELETED))).toEqual([]);
    }
  });

  it('is done once, when several processes start at the same time', async () => {
    const url = await bundleEngine('migration-test');
    unpackEarlier('app', dir);
    const all = await Promise.all([1, 2, 3].map(() => migrate(url)));
    for (const { report } of all) expect(report).toMatchObject({ ok: true, documents: 808 });
    expect(await stored()).toEqual(await archived('app'));
  });
});
