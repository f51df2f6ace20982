import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';
import { bundleEngine } from '../../../../bench/engine/bundle.mjs';

const STUCK = fileURLToPath(new URL('./stuck.mjs', import.meta.url));

/** Runs a program of node's: its exit code or the signal that ended it, and its output. */
async function outcomeOf(args: readonly string[]): Promise<[number | string | null, string]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return [signal ?? code, output];
}

it('a stuck thread that was terminated during a write ends its process, so that others can write', async () => {
  const { dir, remove } = await temporaryDirectory();
  const args = [STUCK, await bundleEngine('stuck'), dir];
  let [end, output] = await outcomeOf(args);
  // Terminated at some moments, the thread can end, or LMDB's addon aborts the process itself: then once more.
  while (end === 0 || end === 'SIGABRT') [end, output] = await outcomeOf(args);
  expect([end, output]).toEqual(['SIGKILL', expect.stringContaining('the engine is stuck')]);
  const store = await openStore({ dir });
  await store.write((txn) => txn.insert('app.after', { _id: 1 }));
  expect(await store.verify()).toMatchObject({ ok: true });
  await store.close();
  await remove();
});
