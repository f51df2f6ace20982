// Bundles the engine's storage layer, or its public interface, into one file for plain Node, for benchmarks and for tests
// that start processes.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../..');

/** Writes the storage layer's bundle and returns its URL, for `import()` in this or another process. */
export function bundleStorage(name = 'storage') {
  return bundle('models/engine/storage/index.ts', name);
}

/** The same for the engine's public interface. */
export function bundleEngine(name = 'engine') {
  return bundle('models/engine/index.ts', name);
}

async function bundle(entry, name) {
  const outdir = path.join(root, 'tmp', 'bundles');
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `${name}-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['better-sqlite3', 'bson', '#engine-background', '#engine-trial', '#engine-worker'],
    logLevel: 'error',
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  return pathToFileURL(outfile).href;
}
