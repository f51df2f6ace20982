import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptSecret } from '#app/platform/secrets/server-secrets.server.ts';

let base: string;

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'vialbook-secret-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

it('stores a secret that only its owner can read, whatever the umask, and rejects one that others can read', async () => {
  const directory = path.join(base, 'data');
  const before = process.umask(0);
  try {
    expect(await keptSecret(directory, 'secret', () => 'first')).toBe('first');
  } finally {
    process.umask(before);
  }
  const file = path.join(directory, 'secret');
  const modes = await Promise.all([directory, file].map(async (name) => (await stat(name)).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600]);
  await chmod(file, 0o640);
  await expect(keptSecret(directory, 'secret', () => 'second')).rejects.toThrow(`chmod 600 '${file}'`);
  await chmod(file, 0o600);
  expect(await keptSecret(directory, 'secret', () => 'second')).toBe('first');
});
