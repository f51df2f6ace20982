import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spawnShell } from '#tests/support/cli.ts';

const run = promisify(execFile);

/**
 * The packed program in a folder of its own. Its dependencies are those of this repository, since a test cannot count
 * on a registry: an entry for each, as an installer would make.
 */
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-packed-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const home = path.join(folder, 'node_modules/vialbook');
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', path.join(folder, tarball), '-C', home, '--strip-components=1']);
  for (const name of await readdir('node_modules'))
    if (!name.startsWith('.') && name !== 'vialbook')
      await symlink(path.resolve('node_modules', name), path.join(folder, 'node_modules', name));
  program = path.join(home, 'build/cli/main.js');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const vialbook = (words: string, stdin = '') =>
  spawnShell(`${process.execPath} ${program} ${words}`, {
    cwd: folder,
    stdin,
    env: { DATA_DIR: path.join(folder, 'data'), VIALBOOK_PASSWORD: 'blue-kettle-47' },
  });

it('holds no source and no test, and works without the repository: calc, export, import', async () => {
  const home = path.join(folder, 'node_modules/vialbook');
  expect((await readdir(home)).toSorted()).toEqual([
    'README.md',
    'build',
    'docs',
    'package.json',
    'public',
    'scripts',
  ]);
  expect(await vialbook('calc --amount 5mg --water 2ml --dose 250mcg')).toMatchObject({ code: 0 });
  expect(await vialbook('admin create root@example.org --yes')).toMatchObject({ code: 0 });
  const file = JSON.stringify({
    compounds: [{ id: 'vial_01234567', createdAt: '2026-01-01T00:00:00.000Z', name: 'A', totalAmount: 5 }],
  });
  expect(await vialbook('import --user root@example.org -', file)).toMatchObject({ code: 0 });
  const { stdout } = await vialbook(
    'export --user root@example.org --format csv --types compounds --no-metadata',
  );
  expect(stdout).toContain('vial_01234567');
});
