import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { sized } from '#tests/support/size.ts';
import { bundleStorage } from '#tests/support/rounds/bundle.mjs';
import { killRounds } from '#tests/support/rounds/kill-rounds.mjs';
import { findAll, insertAll } from './temporary-store.ts';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
const NS = 'app.shared';
const COMPACTIONS = sized(100, 1000);
let url: string;
let dir: string;

beforeAll(async () => {
  url = await bundleStorage('test');
});

afterAll(() => rmSync(fileURLToPath(url), { force: true }));

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'processes-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function start(task: string, argument = '', limit?: string): ChildProcess {
  const args = [CHILD, url, dir, task, argument];
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  if (!limit) return spawn(process.execPath, args, { stdio: [...stdio] });
  return spawn('bash', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, ...args], { stdio: [...stdio] });
}

/** What a child prints as its result. */
async function run(task: string, argument?: string, limit?: string): Promise<unknown> {
  const child = start(task, argument, limit);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`child ended with ${code}: ${errors}`);
  return JSON.parse(output) as unknown;
}

async function prepared(): Promise<void> {
  const store = await openStore({ dir });
  await store.write((txn) => txn.createIndexes(NS, [{ key: { key: 1 }, unique: true }]));
  await insertAll(store, NS, [{ _id: 'counter', n: 0, key: 'counter' }]);
  await store.close();
}

describe('two processes over one directory', () => {
  it('never both win a unique key', async () => {
    await prepared();
    const [a, b] = (await Promise.all([run('claim', 'a'), run('claim', 'b')])) as [number[], number[]];
    expect([...a, ...b].sort((x, y) => x - y)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    const store = await openStore({ dir });
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });

  it('lose no increment, and each sees the other’s writes', async () => {
    await prepared();
    const store = await openStore({ dir });
    const seen: number[] = [];
    const look = (): void => {
      seen.push(findAll(store, NS, { filter: { _id: 'counter' } })[0]?.['n'] as number);
    };
    const timer = setInterval(look, 5);
    await Promise.all([run('increment', '150'), run('increment', '150')]);
    clearInterval(timer);
    look();
    expect(seen[seen.length - 1]).toBe(300);
    expect(seen).toEqual([...seen].sort((x, y) => x - y));
    await store.close();
  });

  it('lose nothing acknowledged when killed during writes and compactions', async () => {
    const outcome = await killRounds({ url, dir, rounds: 4, clients: 4 });
    expect(outcome.problems).toEqual([]);
    expect(outcome.acknowledged).toBeGreaterThan(50);
  });

  it('open and close it while one of them compacts', async () => {
    await prepared();
    const openers = [start('reopen'), start('reopen')];
    const ends = openers.map((opener) => once(opener, 'close'));
    await Promise.all(openers.map((opener) => once(opener.stdout as NodeJS.ReadableStream, 'data')));
    for (let round = 0; round < COMPACTIONS; round++) {
      const store = await openStore({ dir });
      await store.compact();
      await insertAll(store, NS, [{ _id: round, key: round }]);
      await store.close();
    }
    for (const opener of openers) opener.kill();
    expect(await Promise.all(ends)).toEqual([
      [0, null],
      [0, null],
    ]);
    const store = await openStore({ dir });
    expect(await store.verify()).toMatchObject({ ok: true, documents: COMPACTIONS + 1 });
    await store.close();
  });

  it('that was killed with an open snapshot keeps nothing of the log', async () => {
    await prepared();
    const child = start('hold');
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    const store = await openStore({ dir });
    await insertAll(store, NS, [{ _id: 'later' }]);
    let isDone = false;
    const compacting = store.compact().finally(() => (isDone = true));
    await insertAll(store, NS, [{ _id: 'meanwhile', key: 'meanwhile' }]);
    expect(isDone).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'close');
    await compacting;
    expect(statSync(join(dir, 'data.db-wal')).size).toBe(0);
    expect(findAll(store, NS)).toHaveLength(3);
    await store.close();
  });
});

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  it('fails the write with MongoDB’s code, keeps acknowledged writes, and continues once there is room', async () => {
    const outcome = (await run('fill', '', 'ulimit -Sf 4000')) as Record<string, unknown>;
    expect(outcome).toMatchObject({ code: 14031, transaction: 14031, ok: true, stray: 0 });
    expect(outcome['message']).toContain('is full');
    expect(outcome['documents']).toBe(outcome['acknowledged']);
    const store = await openStore({ dir });
    expect(findAll(store, NS)).toHaveLength((outcome['acknowledged'] as number) + 1);
    expect(findAll(store, NS, { filter: { _id: 'afterwards' } })).toHaveLength(1);
    await store.close();
  });

  it('ends a compaction with a message, and leaves no copy behind', async () => {
    const text = 'x'.repeat(1000);
    const before = await openStore({ dir });
    await insertAll(
      before,
      NS,
      Array.from({ length: 2000 }, (_, _id) => ({ _id, text })),
    );
    await before.close();
    const outcome = await run('compact', '', 'ulimit -f 1000');
    expect(outcome).toMatchObject({
      code: 14031,
      message: expect.stringContaining('Compacting needs') as string,
    });
    const store = await openStore({ dir });
    expect(await store.verify()).toMatchObject({ ok: true, documents: 2000 });
    expect((await store.compact()).after.fileBytes).toBeGreaterThan(2_000_000);
    await store.close();
    expect(readdirSync(dir).sort()).toEqual(['data.db', 'data.lock']);
  });
});
