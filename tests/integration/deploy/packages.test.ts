import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  /** Bundled in another package, whose hash covers it. */
  inBundle?: boolean;
  peerDependencies?: Record<string, string>;
  /** The commands that it brings. */
  bin?: Record<string, string>;
}
type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>;

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };
const packages = Object.entries(lock.packages).filter(([at]) => at !== '');

it('every package in the lock file has a hash and comes from the registry', () => {
  expect(packages.length).toBeGreaterThan(500);
  for (const [at, { integrity, resolved = '', link, inBundle }] of packages) {
    expect(link, at).toBeUndefined();
    if (inBundle !== true) expect(integrity, at).toMatch(/^sha512-[A-Za-z0-9+/]+={0,2}/);
    expect(resolved, at).not.toMatch(/^(git|file|http:)/);
  }
});

it('the lock file matches package.json', () => {
  const root = lock.packages[''] as unknown as Manifest;
  expect(root.dependencies).toEqual(manifest.dependencies);
  expect(root.devDependencies).toEqual(manifest.devDependencies);
});

it('every version is exact, so that only a change of this file changes it', () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

it('every package is imported, runs as a command, has the types of one that is, or is a peer dependency of one', () => {
  const folders = ['app', 'cli', 'models', 'scripts', 'bench', 'tests'];
  const single = ['vite.config.ts', 'package.json'];
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mts|mjs|css)$/.test(name))
      .map((name) => readFileSync(path.join(folder, name), 'utf8')),
  );
  const text = [...sources, ...single.map((name) => readFileSync(name, 'utf8'))].join('\n');
  // In package.json's own lists, a package name is followed by its version.
  const isUsed = (name: string) => new RegExp(`['"/]${name}['"/](?!: "\\d)`).test(text);
  const all = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const asked = all.filter(isUsed).flatMap((name) => {
    const { peerDependencies = {} } = lock.packages[`node_modules/${name}`] ?? {};
    return Object.keys(peerDependencies);
  });
  const isNeeded = (name: string) => {
    const typed = name.replace(/^@types\//, '');
    const commands = Object.keys(lock.packages[`node_modules/${name}`]?.bin ?? {});
    return (
      isUsed(name) ||
      commands.some(isUsed) ||
      asked.includes(name) ||
      (typed !== name && (typed === 'node' || isUsed(typed)))
    );
  };
  expect(all.filter((name) => !isNeeded(name))).toEqual([]);
});

it('every shipped package has a licence that allows it', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/licences.mjs'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^licences: \d+ packages, 0 to check: PASSED$/);
  expect(status).toBe(0);
});

it('every shipped package has its reason in docs/dependencies.md', () => {
  const table = readFileSync('docs/dependencies.md', 'utf8').split('| package | why |')[1] ?? '';
  const named = [...table.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const isNamed = (name: string) =>
    named.some((entry) => entry === name || (entry.endsWith('/*') && name.startsWith(entry.slice(0, -1))));
  expect(Object.keys(manifest.dependencies).filter((name) => !isNamed(name))).toEqual([]);
});

it('the bill of materials names every package, with its hash', () => {
  const { stdout, status } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(status).toBe(0);
  const bill = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: { alg: string }[] }[];
  };
  expect(bill.bomFormat).toBe('CycloneDX');
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const direct = Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`);
  expect(direct.filter((one) => !listed.has(one))).toEqual([]);
  expect(listed.size).toBeGreaterThan(direct.length);
  // Bundled packages are covered by the other package's hash.
  const inside = new Set(
    packages.filter(([, { inBundle }]) => inBundle).map(([at]) => at.split('node_modules/').at(-1)),
  );
  const bare = bill.components.filter(({ hashes = [] }) => !hashes.some(({ alg }) => alg === 'SHA-512'));
  expect(bare.map(({ name }) => name).filter((name) => !inside.has(name))).toEqual([]);
});
