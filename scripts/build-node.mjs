// Bundles what Node runs beside the Remix build: the engine's worker thread, the command line and the web server entry.
// `splitting` keeps the database code out of commands that do not need it (`vialbook calc`).
import { chmod, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Small packages that start faster inside the bundle than as files of their own. */
const BUNDLED = new Set(['commander', 'zod', 'big.js']);
const external = Object.keys(dependencies)
  .filter((name) => !BUNDLED.has(name))
  .flatMap((name) => [name, `${name}/*`]);

// commander is CommonJS and requires node builtins; an ESM bundle has no `require` of its own.
const banner = {
  js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  external: [...external, '#engine-worker'],
  banner,
  logLevel: 'warning',
  legalComments: 'none',
  entryNames: '[name]',
  chunkNames: 'chunk-[hash]',
};

const targets = {
  engine: { entryPoints: { worker: 'models/engine/worker.ts' }, outdir: 'build/engine' },
  cli: {
    entryPoints: { main: 'cli/main.ts' },
    outdir: 'build/cli',
    banner: { js: `#!/usr/bin/env node\n${banner.js}` },
  },
  web: { entryPoints: { server: 'app/http/server/main.server.ts' }, outdir: 'build/web' },
};

/** Builds the named targets (all by default). */
export async function buildNode(names = Object.keys(targets)) {
  for (const name of names) await rm(path.join(root, targets[name].outdir), { recursive: true, force: true });
  await Promise.all(names.map((name) => build({ ...shared, ...targets[name] })));
  if (names.includes('cli')) await chmod(path.join(root, 'build/cli/main.js'), 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  await buildNode(names.length > 0 ? names : undefined);
}
