// Bundles the service worker into `build/client/sw.js`, with the list of files that it caches for the offline page.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readBrowserManifest } from './javascript-size.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const client = path.join(root, 'build/client');

const OFFLINE_PAGE = '/offline';
const OFFLINE_ROUTE = 'routes/offline';
const BESIDE_SCRIPTS = ['favicon.svg', 'icons/icon-192.png', 'manifest.webmanifest'];

/** Every script that the offline page can load, including later. */
async function scriptsOfOfflinePage() {
  const { entry, routes, url } = readBrowserManifest(client);
  const modules = [entry.module, routes.root.module, routes[OFFLINE_ROUTE].module, url];
  const { metafile } = await build({
    absWorkingDir: client,
    entryPoints: modules.map((file) => file.slice(1)),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unwritten',
    format: 'esm',
    splitting: true,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
}

function stylesOfOfflinePage() {
  const { entry, routes } = readBrowserManifest(client);
  const parts = [entry, routes.root, routes[OFFLINE_ROUTE]];
  const linked = parts.flatMap(({ css = [] }) => css);
  // The root links its style sheet by an address in its script.
  const imported = [
    ...readFileSync(path.join(client, routes.root.module), 'utf8').matchAll(/\/assets\/[\w.-]+\.css/g),
  ];
  return [...new Set([...linked, ...imported.map(([file]) => file)])].map((file) => file.slice(1));
}

/** Addresses with what tells one version of a file from the next: nothing where the name has a hash and never changes. */
async function keptFiles() {
  const files = [...(await scriptsOfOfflinePage()), ...stylesOfOfflinePage(), ...BESIDE_SCRIPTS];
  return [...new Set(files)].sort().map((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(path.join(client, file)))
      .digest('hex');
    return { url: `/${file}`, revision: file.startsWith('assets/') ? null : hash.slice(0, 32) };
  });
}

export async function buildServiceWorker() {
  const files = await keptFiles();
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
  // The page lists its scripts, so it changes whenever they do.
  const shell = [{ url: OFFLINE_PAGE, revision: version }, ...files];
  await build({
    absWorkingDir: root,
    entryPoints: ['app/offline/service-worker.ts'],
    outfile: 'build/client/sw.js',
    bundle: true,
    minify: true,
    // One script without modules, which every browser with push supports.
    format: 'iife',
    target: 'es2022',
    define: { SHELL_FILES: JSON.stringify(shell), SHELL_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
    legalComments: 'none',
  });
}
