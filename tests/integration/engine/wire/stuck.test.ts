import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';
import { freePort } from '#tests/support/server.ts';
import { bundleEngine } from '../../../../bench/engine/bundle.mjs';
import { watchWriter } from './writing.mjs';

let dir: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ dir, remove } = await temporaryDirectory());
});

afterEach(() => remove());

/** Runs one of the programs beside this file: its exit code or the signal that ended it, and its output. */
async function outcomeOf(program: string, ...args: string[]): Promise<[number | string | null, string]> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [file, ENGINE, dir, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return [signal ?? code, output];
}

const ENGINE = await bundleEngine('stuck');

async function expectOthersCanWrite(): Promise<void> {
  const store = await openStore({ dir });
  await store.write((txn) => txn.insert('app.after', { _id: 1 }));
  expect(await store.verify()).toMatchObject({ ok: true });
  await store.close();
}

it('a stuck thread that was terminated during a write ends its process, so that others can write', async () => {
  let [end, output] = await outcomeOf('stuck.mjs');
  // Terminated at some moments, the thread can end, or LMDB's addon aborts the process itself: then once more.
  while (end === 0 || end === 'SIGABRT') [end, output] = await outcomeOf('stuck.mjs');
  expect([end, output]).toEqual(['SIGKILL', expect.stringContaining('the engine is stuck')]);
  await expectOthersCanWrite();
});

describe('process.exit', () => {
  it('during a write ends the process with its code', async () => {
    expect(await outcomeOf('exit.mjs')).toEqual([7, '']);
    await expectOthersCanWrite();
  });

  it('ends the process even if the engine’s thread cannot end', async () => {
    // See above.
    let [end, output] = await outcomeOf('exit.mjs', 'stuck');
    while (end === 'SIGABRT') [end, output] = await outcomeOf('exit.mjs', 'stuck');
    expect([end, output]).toEqual(['SIGKILL', expect.stringContaining('the engine did not close in time')]);
    await expectOthersCanWrite();
  });
});

/** Resolves when a process writes for the nth time. */
async function nthWrite(nth: number): Promise<void> {
  while (!existsSync(path.join(dir, 'lock.mdb'))) await nextTurn();
  const isWriting = watchWriter(dir);
  let wasWriting = false;
  for (let begun = 0; begun < nth; await nextTurn()) {
    const isNow = isWriting();
    if (isNow && !wasWriting) begun += 1;
    wasWriting = isNow;
  }
}

it.each([2, 3, 4, 5])('a server that is stopped during write %s of its start ends with 0', async (nth) => {
  const { PATH } = process.env;
  const server = spawn(process.execPath, ['build/web/server.js'], {
    env: { PATH, NODE_ENV: 'production', DATA_DIR: dir, PORT: String(await freePort()) },
    stdio: 'ignore',
  });
  const ended = once(server, 'close');
  await nthWrite(nth);
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await expectOthersCanWrite();
});
