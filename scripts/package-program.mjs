import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'node_modules');

/**
 * The file of an installed package's program, for node to run. What npm puts into `node_modules/.bin` is a link to it here, but
 * a script for another shell on Windows.
 */
export function packageProgram(packageName, program = packageName) {
  const folder = path.join(packages, packageName);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : bin[program]);
}
