// Bundles the engine's storage layer into one file that plain Node runs, for benchmarks and for tests that start
// processes of their own.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Writes the bundle and returns its URL, for `import()` in this or another process. */
export async function bundleStorage(name = 'storage') {
  const outdir = path.join(root, 'tmp', 'bundles');
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `${name}-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ['models/engine/storage/index.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['lmdb', 'bson'],
    logLevel: 'error',
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  return pathToFileURL(outfile).href;
}
