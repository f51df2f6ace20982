// `node scripts/licences.mjs`: every installed package that is shipped, with its licence as stated by the package; `--all`
// includes those for building and testing. Exits with 1 if a package has no known free licence.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const withDev = process.argv.includes('--all');

/** Accepted licences. A choice (`OR`) needs one of them, a combination (`AND`) all. */
const KNOWN = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
]);

/** Packages whose licence is in a file instead of package.json; each was checked by hand. */
const READ = {
  'dejavu-fonts-ttf': 'Bitstream Vera and public domain (fonts)',
  'png-js': 'MIT',
  'require-like': 'MIT',
};

/** True when an SPDX expression allows the use. */
export function isAllowed(expression) {
  const text = expression.replace(/[()]/g, ' ').trim();
  if (/\sOR\s/.test(text)) return text.split(/\s+OR\s+/).some((one) => isAllowed(one));
  if (/\sAND\s/.test(text)) return text.split(/\s+AND\s+/).every((one) => isAllowed(one));
  return KNOWN.has(text.trim());
}

/** The licence in package.json, in the current or older formats. */
function licenceOf(manifest) {
  const { license, licenses } = manifest;
  if (typeof license === 'string') return license;
  if (license?.type) return license.type;
  return Array.isArray(licenses) ? licenses.map(({ type }) => type).join(' OR ') : 'unknown';
}

/** The packages of the lock file that are installed here. */
export function packagesOf(lock, dev) {
  return Object.entries(lock.packages)
    .filter(([at, entry]) => at !== '' && (dev || !entry.dev))
    .map(([at]) => path.join(root, at, 'package.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .map((manifest) => ({
      name: manifest.name,
      version: manifest.version,
      licence: READ[manifest.name] ?? licenceOf(manifest),
    }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const found = packagesOf(lock, withDev).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, version, licence } of found) console.log(`${licence.padEnd(28)} ${name}@${version}`);
  const unknown = found.filter(({ name, licence }) => !(name in READ) && !isAllowed(licence));
  for (const { name, licence } of unknown) console.error(`Check ${name}: "${licence}"`);
  console.log(
    `licences: ${found.length} packages, ${unknown.length} to check: ${unknown.length === 0 ? 'PASSED' : 'FAILED'}`,
  );
  process.exitCode = unknown.length === 0 ? 0 : 1;
}
