import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';
import { bundleEngine } from '../../../../bench/engine/bundle.mjs';

const STUCK = fileURLToPath(new URL('./stuck.mjs', import.meta.url));

it('a stuck thread that was terminated during a write ends its process, so that others can write', async () => {
  const { dir, remove } = await temporaryDirectory();
  const args = [STUCK, await bundleEngine('stuck'), dir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect([signal, output]).toEqual(['SIGKILL', expect.stringContaining('the engine is stuck')]);
  const store = await openStore({ dir });
  await store.write((txn) => txn.insert('app.after', { _id: 1 }));
  expect(await store.verify()).toMatchObject({ ok: true });
  await store.close();
  await remove();
});
