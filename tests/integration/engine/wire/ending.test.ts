import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Connection } from '#models/engine/storage/env/sqlite.ts';
import { openStore } from '#models/engine/storage/index.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';
import { freePort } from '#tests/support/server.ts';
import { bundleEngine } from '#tests/support/rounds/bundle.mjs';

let dir: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ dir, remove } = await temporaryDirectory());
});

afterEach(() => remove());

const PROGRAM = fileURLToPath(new URL('ending.mjs', import.meta.url));
const ENGINE = await bundleEngine('ending');

async function expectOthersCanWrite(): Promise<void> {
  const store = await openStore({ dir });
  await store.write((txn) => txn.insert('app.others', { _id: 1 }));
  expect(await store.verify()).toMatchObject({ ok: true });
  await store.close();
}

it.each([
  ['process.exit', 'exit', 7],
  ['termination of its thread', 'terminate', 0],
])('%s during a write undoes it, ends with the right code and blocks nobody', async (_what, how, code) => {
  const child = spawn(process.execPath, [PROGRAM, ENGINE, dir, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect(await once(child, 'close')).toEqual([code, null]);
  expect(output.match(/the engine stopped unexpectedly/g)?.length ?? 0).toBe(how === 'exit' ? 0 : 5);
  await expectOthersCanWrite();
});

/** Resolves when a process has changed the data for the nth time. */
async function nthChange(nth: number): Promise<void> {
  const file = path.join(dir, 'data.db');
  while (!existsSync(file)) await nextTurn();
  const db = new Connection(file, { waitMs: 0 });
  const version = () => {
    try {
      return db.value('PRAGMA data_version');
    } catch {
      // The file is being created.
      return last;
    }
  };
  let last: unknown = null;
  for (let changes = 0; changes < nth; await nextTurn()) {
    const now = version();
    if (now !== last) changes += 1;
    last = now;
  }
  db.close();
}

it.each([2, 3, 4, 5])('a server that is stopped after change %s of its start ends with 0', async (nth) => {
  const { PATH } = process.env;
  const server = spawn(process.execPath, ['build/web/server.js'], {
    env: { PATH, NODE_ENV: 'production', DATA_DIR: dir, PORT: String(await freePort()) },
    stdio: 'ignore',
  });
  const ended = once(server, 'close');
  await nthChange(nth);
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await expectOthersCanWrite();
});
