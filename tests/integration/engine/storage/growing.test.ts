import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { bundleStorage } from '#tests/support/rounds/bundle.mjs';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'growing-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('a file that another process is extending can be opened at any moment', async () => {
  const url = await bundleStorage('test');
  const child = spawn(process.execPath, [CHILD, url, dir, 'fill'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    let ended = false;
    child.on('close', () => (ended = true));
    let opened = 0;
    while (!ended && opened < 40) {
      const store = await openStore({ dir });
      await store.close();
      await setImmediate();
      opened += 1;
    }
    expect(opened).toBeGreaterThan(5);
  } finally {
    child.kill();
  }
});
