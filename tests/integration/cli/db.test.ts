import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '#app/features/accounts/registration.server.ts';
import type { CompactReport, StoreStats } from '#models/engine/index.ts';
import { CLI_PATH, runCli } from '#tests/support/cli.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { registration } from '#tests/support/people.ts';

let db: TestDatabase;
let scratch: string;

beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
  scratch = await mkdtemp(path.join(tmpdir(), 'vialbook-db-'));
  await register(db.ctx(), registration('kept@example.org'));
});
afterAll(async () => {
  await db.dispose();
  await rm(scratch, { recursive: true, force: true });
});

const run = (args: string[], directory = db.directory) =>
  runCli(['db', ...args], { env: { DATA_DIR: directory } });
const fresh = (name: string) => path.join(scratch, name);

/** Starts the built `vialbook db serve` and reads the line it prints. */
async function serve(directory: string, ...args: string[]) {
  const child = spawn(process.execPath, [CLI_PATH, 'db', 'serve', ...args], {
    env: { ...process.env, DATA_DIR: directory },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  };
  return { uri: line.toString('utf8'), stop };
}

async function withClient<T>(
  uri: string,
  work: (client: mongoose.mongo.MongoClient) => Promise<T>,
): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5000 });
  try {
    return await work(await client.connect());
  } finally {
    await client.close();
  }
}

describe('a command in the wrong folder', () => {
  it.each([
    ['stock'],
    ['due'],
    ['admin', 'stats'],
    ['export', '--format', 'csv'],
    ['db', 'verify'],
    ['db', 'stats'],
    ['db', 'compact'],
    ['db', 'migrate', '--status'],
  ])('names the directory it looked in, exits with 4 and creates none: %s', async (...args) => {
    const directory = fresh('nowhere');
    const { code, stderr } = await runCli(
      [...args, ...(args[0] === 'admin' || args[0] === 'db' ? [] : ['--user', 'kept@example.org'])],
      {
        env: { DATA_DIR: directory },
      },
    );
    expect([code, stderr]).toEqual([4, expect.stringContaining(directory)]);
    await expect(stat(directory)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('vialbook db serve', () => {
  it('prints a loopback address that a driver can sign in with, and exits with 0', async () => {
    const server = await serve(fresh('served'), '--port', '0');
    expect(server.uri).toMatch(
      /^mongodb:\/\/[^:@]+:[^:@]+@127\.0\.0\.1:\d+\/vialbook\?authSource=admin&directConnection=true\n$/,
    );
    const names = await withClient(server.uri.trim(), async (client) => {
      await client.db('other').collection('things').insertOne({ a: 1 });
      return (await client.db('other').collection('things').find().toArray()).map(({ a }) => a as number);
    });
    expect(names).toEqual([1]);
    const withoutPassword = server.uri.trim().replace(/\/\/[^@]+@/, '//');
    await expect(
      withClient(withoutPassword, (client) => client.db('other').collection('things').findOne()),
    ).rejects.toThrow(/auth/i);
    expect(await server.stop()).toBe(0);
  });

  it('listens on a socket that only its owner can open', async () => {
    const socket = fresh('engine.sock');
    const server = await serve(fresh('by-socket'), '--socket', socket, '--json');
    const { uri } = JSON.parse(server.uri) as { uri: string };
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect(await withClient(uri, (client) => client.db('vialbook').command({ ping: 1 }))).toMatchObject({
      ok: 1,
    });
    expect(await server.stop()).toBe(0);
  });

  it.each([
    [['--port', '70000'], '--port'],
    [['--port', 'abc'], '--port'],
    [['--port', '1', '--socket', 'x.sock'], '--socket'],
  ])('refuses %j with exit code 2', async (args, named) => {
    const refused = await run(['serve', ...args]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(named);
    expect(refused.stdout).toBe('');
  });
});

describe('vialbook db stats and compact', () => {
  it('shrink the file while the database is in use, and show its size', async () => {
    const busy = await openTestDatabase({ ownEngine: true });
    await register(busy.ctx(), registration('busy@example.org'));
    const notes = testConnection(busy).collection('notes');
    await notes.insertMany(Array.from({ length: 500 }, () => ({ text: 'deleted later '.repeat(200) })));
    await notes.deleteMany({});
    const before = JSON.parse((await run(['stats', '--json'], busy.directory)).stdout) as StoreStats;
    expect(before.collections.find(({ name }) => name === 'users')).toMatchObject({ documents: 1 });
    expect(before.freeBytes).toBeGreaterThan(0);
    const compacted = await run(['compact', '--json'], busy.directory);
    const report = JSON.parse(compacted.stdout) as CompactReport;
    expect(compacted.code).toBe(0);
    expect(report.after.fileBytes).toBeLessThan(before.fileBytes);
    // The process that has the file open goes on writing.
    await register(busy.ctx(), registration('later@example.org'));
    const told = await run(['stats'], busy.directory);
    expect(told.stdout).toMatch(/^users +2 +\d+\.\d MB +\d+\.\d MB$/m);
    expect(told.stdout).toMatch(/^The file is \d+\.\d MB, of which \d+\.\d MB is free\.$/m);
    expect((await run(['compact'], busy.directory)).stdout).toMatch(
      /^Compacted from \d+\.\d MB to \d+\.\d MB\.\n$/,
    );
    expect((await run(['verify'], busy.directory)).stdout).toMatch(/^No problems: /);
    await busy.dispose();
  });
});

describe('vialbook db verify', () => {
  it('reports what it checked', async () => {
    const sound = await run(['verify', '--json']);
    expect(sound.code).toBe(0);
    expect(JSON.parse(sound.stdout)).toMatchObject({ ok: true, problemCount: 0 });
  });

  it('reports a missing data directory with exit code 4', async () => {
    const missing = await run(['verify'], fresh('nowhere'));
    expect(missing).toMatchObject({ code: 4, stdout: '' });
    expect(missing.stderr).toContain('nowhere');
  });
});

describe('vialbook db backup and restore', () => {
  it('restore an equal database, completely or not at all', async () => {
    const file = fresh('backup');
    expect((await run(['backup', '--out', file])).code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const target = fresh('restored');
    expect((await run(['restore', file], target)).code).toBe(0);
    const counts = async (directory: string) =>
      JSON.parse((await run(['verify', '--json'], directory)).stdout) as unknown;
    expect(await counts(target)).toEqual(await counts(db.directory));

    const again = await run(['restore', file], target);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('empty');

    await appendFile(file, 'x');
    const damaged = await run(['restore', file], fresh('damaged'));
    expect(damaged.code).toBe(1);
    expect(damaged.stderr).toContain('Nothing was restored');
    expect(JSON.parse((await run(['verify', '--json'], fresh('damaged'))).stdout)).toMatchObject({
      documents: 0,
    });
  });

  it('never replace a file without --force, and write nothing binary to a terminal', async () => {
    const file = fresh('precious');
    await writeFile(file, 'something else');
    for (const group of ['db', 'admin']) {
      const env = { DATA_DIR: db.directory };
      const refused = await runCli([group, 'backup', '--out', file], { env });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('add --force') as string });
      expect(await readFile(file, 'utf8')).toBe('something else');
      const shown = await runCli([group, 'backup', '--out', '-'], { env, stdoutIsTerminal: true });
      expect(shown).toMatchObject({ code: 2, stdout: '' });
      expect(shown.stderr).toContain('cannot be shown in a terminal');
    }
    expect((await run(['backup', '--out', file, '--force'])).code).toBe(0);
    expect((await stat(file)).size).toBeGreaterThan(1000);
  });

  it('restores from stdin', async () => {
    const file = fresh('piped');
    expect((await run(['backup', '--out', file])).code).toBe(0);
    const restored = await runCli(['db', 'restore', '-', '--json'], {
      env: { DATA_DIR: fresh('from-stdin') },
      stdin: createReadStream(file),
    });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const counts = async (directory: string) =>
      JSON.parse((await run(['verify', '--json'], directory)).stdout) as unknown;
    expect(await counts(fresh('from-stdin'))).toEqual(await counts(db.directory));
    const damaged = await runCli(['db', 'restore', '-'], {
      env: { DATA_DIR: fresh('from-damaged-stdin') },
      stdin: Readable.from([(await readFile(file)).subarray(0, -50)]),
    });
    expect(damaged.stderr).toContain('Nothing was restored');
  });

  it('leave no file behind if there is nothing to back up', async () => {
    const failed = await run(['backup', '--out', fresh('none')], fresh('nowhere'));
    expect(failed.code).toBe(4);
    await expect(readFile(fresh('none'))).rejects.toThrow('ENOENT');
  });
});

describe('vialbook db copy', () => {
  it('copies every document and index to another deployment', async () => {
    const target = await serve(fresh('copied'), '--port', '0');
    const copied = await run(['copy', '--to', target.uri.trim(), '--json']);
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    const found = await withClient(target.uri.trim(), async (client) => {
      const users = client.db('vialbook').collection('users');
      return {
        emails: (await users.find().toArray()).map((user) => user['email'] as string),
        indexes: await users.indexes(),
      };
    });
    expect(found.emails).toEqual(['kept@example.org']);
    expect(found.indexes.length).toBeGreaterThan(1);

    const second = await run(['copy', '--to', target.uri.trim()]);
    expect(second.code).toBe(1);
    await target.stop();
  });

  it('copies into the database in the address, whose backup can be restored into the program’s own', async () => {
    const target = await serve(fresh('renamed'), '--port', '0');
    const uri = target.uri.trim().replace('/vialbook?', '/another?');
    expect(await run(['copy', '--to', uri, '--json'])).toMatchObject({ code: 0, stderr: '' });
    const names = await withClient(uri, async (client) =>
      (await client.db('admin').admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name),
    );
    expect(names).not.toContain('vialbook');
    const archive = fresh('another.backup');
    const there = { DATA_DIR: fresh('unused'), MONGODB_URI: uri, SESSION_SECRET: 'x'.repeat(40) };
    expect(await runCli(['db', 'backup', '--out', archive], { env: there })).toMatchObject({ code: 0 });
    expect(await run(['restore', archive], fresh('back-again'))).toMatchObject({ code: 0 });
    const env = { DATA_DIR: fresh('back-again') };
    const users = await runCli(['admin', 'users', '--json'], { env });
    expect([users.code, users.stdout]).toEqual([0, expect.stringContaining('kept@example.org')]);
    await target.stop();
  });

  it('rejects an invalid address', async () => {
    expect((await run(['copy', '--to', 'postgres://x'])).code).toBe(2);
  });
});
