// How much JavaScript a page of the built application loads, compressed as it is sent, from the build's manifest.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {{ id: string, module: string, hasAction: boolean, path?: string, imports?: string[], css?: string[], parentId?: string }} Route
 * @typedef {{ entry: { module: string, imports: string[], css?: string[] }, routes: Record<string, Route>, url: string }} Manifest
 */

/** @param {string} client folder of the browser build @returns {Manifest} */
export function readBrowserManifest(client) {
  const assets = path.join(client, 'assets');
  const name = readdirSync(assets).find((file) => /^manifest-.*\.js$/.test(file));
  if (!name) throw new Error('there is no browser build');
  const text = readFileSync(path.join(assets, name), 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

/** @param {string} client @param {Iterable<string>} files @returns {number} bytes after gzip */
export function compressedBytes(client, files) {
  let sum = 0;
  for (const file of files) sum += gzipSync(readFileSync(path.join(client, file)), { level: 9 }).byteLength;
  return sum;
}

/** @param {Route | Manifest['entry']} route */
const filesOf = ({ module, imports = [] }) => [module, ...imports];

/**
 * What a route's page loads at once, the list of all routes included: in total, and for this route only.
 * @param {string} client folder of the browser build
 * @param {string} routeId
 */
export function javascriptOf(client, routeId) {
  const { entry, routes, url } = readBrowserManifest(client);
  const root = routes['root'];
  if (!root || !routes[routeId]) throw new Error(`there is no route ${routeId}`);
  const shared = new Set([url, ...filesOf(entry), ...filesOf(root)]);
  const own = new Set();
  for (let id = routeId; id && id !== 'root'; id = routes[id]?.parentId ?? '') {
    for (const file of filesOf(routes[id] ?? root)) if (!shared.has(file)) own.add(file);
  }
  const ownBytes = compressedBytes(client, own);
  return { ownBytes, totalBytes: ownBytes + compressedBytes(client, shared), files: [...shared, ...own] };
}
