// Bundles what Node runs in addition to the Remix build: the threads for the engine, trial restores, PDF files and uploaded
// files, the command line and the web server entry.
// `splitting` keeps the database code out of commands that do not need it (`vialbook calc`).
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Packages that are not bundled: binaries, packages that read files or start threads from their folder, those that
 * several bundles of one process share, and those that are loaded on demand. All others start faster inside the bundle: mongoose
 * and its driver, 400 files, in less than half the time.
 */
const OWN_FILES = [
  '@modelcontextprotocol/sdk',
  '@node-rs/argon2',
  '@remix-run/node',
  '@remix-run/server-runtime',
  '@simplewebauthn/browser',
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
 * What `loadProgram` runs: a function as one script, whose last line is a digest of everything before it. V8 can cache the
 * compiled code of such a script, which it cannot do for modules on every supported Node.
 */
const program = {
  ...shared,
  format: 'cjs',
  splitting: false,
  define: { ...shared.define, 'import.meta.url': '__address' },
  banner: {
    js: `(function (exports, require, module, __filename, __dirname, __import) { 'use strict';
const __address = require('node:url').pathToFileURL(__filename).href;`,
  },
  footer: { js: '})' },
  entryNames: '[name].script',
  write: false,
};

/** Packages that are loaded on demand. */
const WAITING = new RegExp(`(?<![.\\w$])import\\(("(?:${OWN_FILES.join('|')})(?:/[^"]+)?"|"os")\\)`, 'g');

/** Builds the programs and returns their files. */
async function buildPrograms(options) {
  const { outputFiles } = await build({ ...program, ...options });
  return outputFiles.map(({ path: file, text }) => {
    // A precompiled script cannot import, but its loader can.
    const importing = text.replace(WAITING, '__import($1)');
    // One byte per character, which Node reads without decoding. Only comments and regular expressions need escaping.
    const escaped = importing.replace(
      /[\u0080-\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return { path: file, contents: `${escaped}//# ${createHash('sha256').update(escaped).digest('hex')}` };
  });
}

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
    entryPoints: {
      server: 'app/server/main.server.ts',
      program: 'app/server/program.server.ts',
    },
    outdir: 'build/web',
    programs: { web: 'app/server/web.server.ts' },
  },
};

/** The names that a module exports. */
async function exportsOf(file) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    outdir: 'build/server',
    format: 'esm',
    bundle: true,
    packages: 'external',
    external: ['./assets/*'],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

/** Replaces page elements with cheaper ones for server rendering. */
const serverElements = {
  name: 'server-elements',
  setup({ onLoad, onEnd }) {
    const EXPORTED = 'exports.Link = Link;';
    const ours = path.join(root, 'app/platform/http/server-elements.server.ts');
    let replaced = 0;
    onLoad({ filter: /@remix-run\/react\/dist\/components\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      if (text.includes(EXPORTED)) replaced += 1;
      return {
        contents: text.replace(EXPORTED, `exports.Link = require(${JSON.stringify(ours)}).serverLink(Link);`),
      };
    });
    onEnd(() =>
      replaced === 1 ? {} : { errors: [{ text: 'Remix no longer exports its links from components.js' }] },
    );
  },
};

/**
 * Bundles the Remix build with the packages it imports into a program. `index.js`, the file for servers such as
 * `remix-serve`, opens the database and applies its own security checks; `remix.js` is the plain build.
 */
export async function bundleServer() {
  const entry = 'build/server/vite.js';
  await rename(path.join(root, 'build/server/index.js'), path.join(root, entry));
  // Vite also lists indirect imports for their side effects. Packages without side effects are left out, which needs
  // no warning.
  const files = await buildPrograms({
    entryPoints: { remix: entry },
    outdir: 'build/server',
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [serverElements],
    alias: { 'react/jsx-runtime': './app/platform/http/server-elements.server.ts' },
  });
  const names = await exportsOf(entry);
  await rm(path.join(root, 'build/server'), { recursive: true });
  await mkdir(path.join(root, 'build/server'));
  await Promise.all(files.map(({ path: file, contents }) => writeFile(file, contents)));
  const load = "import { fileURLToPath } from 'node:url';\nimport { loadProgram } from '../web/program.js';";
  const fileOf = (address) => `fileURLToPath(new URL('${address}', import.meta.url))`;
  const pages = [load, `export const { ${names.join(', ')} } = loadProgram(${fileOf('./remix.script.js')});`];
  const index = [
    load,
    "import * as build from './remix.js';",
    `loadProgram(${fileOf('../web/web.script.js')}).serveBehind(build);`,
    "export * from './remix.js';",
  ];
  await writeFile(path.join(root, 'build/server/remix.js'), `${pages.join('\n')}\n`);
  await writeFile(path.join(root, 'build/server/index.js'), `${index.join('\n')}\n`);
}

/** Builds the named targets (all by default); `cli` includes `calc`. */
export async function buildNode(names = Object.keys(targets)) {
  const wanted = new Set(names.includes('cli') ? [...names, 'calc'] : names);
  await Promise.all([...wanted].map((name) => buildOne(targets[name])));
  if (names.includes('cli')) await chmod(path.join(root, 'build/cli/main.js'), 0o755);
}

/** Files appear complete, and entries after the chunks they import, so that a test or server starting meanwhile does not fail. */
async function buildOne({ programs, ...target }) {
  const outdir = path.join(root, target.outdir);
  const modules = await build({ ...shared, ...target, write: false });
  const scripts = programs ? await buildPrograms({ entryPoints: programs, outdir: target.outdir }) : [];
  const outputFiles = [...modules.outputFiles, ...scripts];
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  await buildNode(names.length > 0 ? names : undefined);
}
