// The seed for the cases of property tests ("laws").
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = ['app', 'models', 'cli', 'tests'];

/**
 * `LAW_SEED`, a number or `random`. By default, a number derived from the sources: the same sources use the same cases, so
 * that a failing law fails again, and each change uses others.
 * @returns {number} a whole number of 31 bits
 */
export function lawSeed(root, given = process.env.LAW_SEED) {
  if (given === 'random') return Math.floor(Math.random() * 2 ** 31);
  if (given !== undefined && given !== '') {
    if (!/^-?\d{1,10}$/.test(given))
      throw new Error(`LAW_SEED must be a whole number or "random", not "${given}"`);
    return Number(given);
  }
  const hash = createHash('sha256');
  for (const folder of SOURCES) {
    const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => /\.tsx?$/.test(one)).toSorted())
      hash.update(name.replaceAll(path.sep, '/')).update(readFileSync(path.join(root, folder, name)));
  }
  return hash.digest().readUInt32BE() >>> 1;
}
