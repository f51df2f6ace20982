import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const LOCK = path.join(root, 'build', '.bundling');
/** A lock older than this was left by a killed run. */
const STALE_LOCK_MS = 120_000;

interface Bundle {
  name: 'engine' | 'threads' | 'cli';
  entry: string;
  output: string;
  /** The bundle's source folders. */
  sources: string[];
}

const BUNDLES: Bundle[] = [
  {
    name: 'engine',
    entry: 'models/engine/worker.ts',
    output: 'build/engine/worker.js',
    sources: ['models/engine'],
  },
  {
    name: 'threads',
    entry: 'app/platform/threads/thread.server.ts',
    output: 'build/threads/pdf.js',
    sources: ['app/domain', 'app/features', 'app/platform'],
  },
  { name: 'cli', entry: 'cli/main.ts', output: 'build/cli/main.js', sources: ['cli', 'models', 'app'] },
];

function newestUnder(folder: string): number {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce(
      (newest, entry) => Math.max(newest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs),
      0,
    );
}

function isStale({ entry, output, sources }: Bundle): boolean {
  if (!existsSync(path.join(root, entry))) return false;
  const built = path.join(root, output);
  if (!existsSync(built)) return true;
  const newest = Math.max(
    ...sources.map(newestUnder),
    statSync(path.join(root, 'scripts/build-node.mjs')).mtimeMs,
  );
  return newest > statSync(built).mtimeMs;
}

/** Takes the lock, waiting for another run that is building. */
async function lock(): Promise<void> {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  for (;;) {
    try {
      mkdirSync(LOCK);
      return;
    } catch {
      const age = existsSync(LOCK) ? Date.now() - statSync(LOCK).mtimeMs : 0;
      if (age > STALE_LOCK_MS) rmSync(LOCK, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Bundles the programs that tests start as threads or processes, if their sources are newer than the bundle. */
export async function setup(): Promise<void> {
  if (!BUNDLES.some(isStale)) return;
  await lock();
  try {
    const stale = BUNDLES.filter(isStale).map(({ name }) => name);
    if (stale.length === 0) return;
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-node.mjs', ...stale], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the bundles ${stale.join(', ')} could not be built:\n${stderr}`);
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}
