// Bundles what Node runs in addition to the Remix build: the threads for the engine, trial restores, PDF files and uploaded
// files, the command line and the web server entry.
// `splitting` keeps the database code out of commands that do not need it (`vialbook calc`).
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build, context, stop } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Packages that are not bundled: binaries, packages that read files or start threads from their folder, and those that are
 * loaded on demand. All others start faster inside the bundle: mongoose and its driver, 400 files, in less than half the time.
 */
const OWN_FILES = [
  '@modelcontextprotocol/sdk',
  '@node-rs/argon2',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace-node',
  '@remix-run/node',
  '@simplewebauthn/server',
  'better-sqlite3',
  'cli-progress',
  'dejavu-fonts-ttf',
  'ical-generator',
  'msw',
  'nodemailer',
  'pdfkit',
  'pino',
  'sharp',
  'stripe',
  'web-push',
];
/** Optional dependencies of the MongoDB driver. */
const OPTIONAL = [
  '@aws-sdk/credential-providers',
  '@mongodb-js/zstd',
  'aws4',
  'gcp-metadata',
  'kerberos',
  'mongodb-client-encryption',
  'snappy',
  'socks',
];
const external = [...OWN_FILES, ...OPTIONAL].flatMap((name) => [name, `${name}/*`]);

// commander is CommonJS and requires node builtins; an ESM bundle has no `require` of its own.
const banner = {
  js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
};

/** Options for bundling a Node program into one file. */
export const PROGRAM = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: [
    ...external,
    '#engine-background',
    '#engine-trial',
    '#engine-worker',
    '#threads/*',
    '#web-server',
  ],
  banner,
  // React chooses between two builds by this, and only one belongs in the bundle.
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
  legalComments: 'none',
};

const shared = {
  ...PROGRAM,
  splitting: true,
  entryNames: '[name]',
  chunkNames: 'chunk-[hash]',
};

/**
 * `vialbook calc` has its own bundle: together with the other commands it would share their whole zod chunk, which would
 * slow down its cold start.
 */
const calcApart = {
  name: 'calc-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/commands\/calc\.ts$/ }, () => ({ path: '../calc/calc.js', external: true }));
  },
};

const targets = {
  engine: {
    entryPoints: {
      worker: 'models/engine/worker.ts',
      background: 'models/engine/storage/env/background-thread.ts',
      'trial-restore': 'models/engine/trial-restore-thread.ts',
    },
    outdir: 'build/engine',
  },
  threads: {
    entryPoints: {
      pdf: 'app/platform/pdf/pdf-thread.server.ts',
      import: 'app/features/import/import-thread.server.ts',
      catalogue: 'app/features/vendors/catalogue-thread.server.ts',
      measurements: 'app/features/tracking/health/measurements-thread.server.ts',
    },
    outdir: 'build/threads',
  },
  cli: {
    entryPoints: { main: 'cli/main.ts' },
    outdir: 'build/cli',
    banner: { js: `#!/usr/bin/env node\n${banner.js}` },
    plugins: [calcApart],
  },
  calc: { entryPoints: { calc: 'cli/commands/calc.ts' }, outdir: 'build/calc' },
  web: {
    entryPoints: { server: 'app/server/main.server.ts' },
    outdir: 'build/web',
    // Its packages are those of the Remix build, which it loads.
    packages: 'external',
  },
};

/** Builds the named targets (all by default); `cli` includes `calc`. */
export async function buildNode(names = Object.keys(targets)) {
  const wanted = new Set(names.includes('cli') ? [...names, 'calc'] : names);
  await Promise.all([...wanted].map((name) => buildOne(targets[name])));
  if (names.includes('cli')) await chmod(path.join(root, 'build/cli/main.js'), 0o755);
}

/** Files appear complete, and entries after the chunks they import, so that a test or server starting meanwhile does not fail. */
async function buildOne(target) {
  const outdir = path.join(root, target.outdir);
  const { outputFiles } = await build({ ...shared, ...target, write: false });
  await mkdir(outdir, { recursive: true });
  const isEntry = (file) => Object.keys(target.entryPoints).includes(path.basename(file, '.js'));
  for (const { path: file, contents } of outputFiles.sort(
    (a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)),
  )) {
    await writeFile(`${file}.${process.pid}.new`, contents);
    await rename(`${file}.${process.pid}.new`, file);
  }
  const written = new Set(outputFiles.map(({ path: file }) => path.basename(file)));
  const leftover = (await readdir(outdir)).filter((name) => !written.has(name) && !name.endsWith('.new'));
  await Promise.all(leftover.map((name) => rm(path.join(outdir, name), { recursive: true, force: true })));
}

/** Builds the named targets into another folder, and again whenever one of their sources changes. @returns ends that */
export async function watchNode(names, folder) {
  const watchers = await Promise.all(
    names.map(async (name) => {
      const outdir = targets[name].outdir.replace('build', folder);
      const watcher = await context({ ...shared, ...targets[name], outdir });
      await watcher.rebuild();
      await watcher.watch();
      return watcher;
    }),
  );
  return async () => {
    await Promise.all(watchers.map((watcher) => watcher.dispose()));
    // Otherwise the bundler's own process outlives this one.
    await stop();
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  await buildNode(names.length > 0 ? names : undefined);
}
