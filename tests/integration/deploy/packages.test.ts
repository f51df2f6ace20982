import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  /** Comes inside another package, whose hash holds it. */
  inBundle?: boolean;
}
type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>;

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };
const packages = Object.entries(lock.packages).filter(([at]) => at !== '');

it('every package of the lock file is held to a hash, and comes from the registry or nowhere', () => {
  expect(packages.length).toBeGreaterThan(500);
  for (const [at, { integrity, resolved = '', link, inBundle }] of packages) {
    expect(link, at).toBeUndefined();
    if (inBundle !== true) expect(integrity, at).toMatch(/^sha512-[A-Za-z0-9+/]+={0,2}/);
    expect(resolved, at).not.toMatch(/^(git|file|http:)/);
  }
});

it('the lock file is of this package.json', () => {
  const root = lock.packages[''] as unknown as Manifest;
  expect(root.dependencies).toEqual(manifest.dependencies);
  expect(root.devDependencies).toEqual(manifest.devDependencies);
});

it('every package that is shipped has a licence that allows it', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/licences.mjs'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^licences: \d+ packages, 0 to look at: PASSED$/);
  expect(status).toBe(0);
});

it('every package that is shipped has its reason in the README', () => {
  const table = readFileSync('README.md', 'utf8').split('## Dependencies and why')[1] ?? '';
  const named = [...table.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const isNamed = (name: string) =>
    named.some((entry) => entry === name || (entry.endsWith('/*') && name.startsWith(entry.slice(0, -1))));
  expect(Object.keys(manifest.dependencies).filter((name) => !isNamed(name))).toEqual([]);
});
