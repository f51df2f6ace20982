import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkDataFile } from '#models/engine/storage/env/data-file.ts';
import { bundleStorage } from '../../../../bench/engine/bundle.mjs';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));

it('a data file that another process is making longer is never taken for an incomplete copy', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'growing-'));
  const url = await bundleStorage('test');
  const child = spawn(process.execPath, [CHILD, url, dir, 'fill'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    let ended = false;
    child.on('close', () => (ended = true));
    let looks = 0;
    while (!ended) {
      for (let round = 0; round < 200; round += 1) {
        checkDataFile(dir, join(dir, 'data.mdb'));
        looks += 1;
      }
      await setImmediate();
    }
    expect(looks).toBeGreaterThan(1000);
  } finally {
    child.kill();
    rmSync(dir, { recursive: true, force: true });
  }
});
