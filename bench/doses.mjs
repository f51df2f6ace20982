// Prints how long taking and undoing a dose takes and how many database commands it needs, for one client, for 32 people and
// for 32 browsers of one person. With `--beside`, another version's folder is measured alternately; the last column is the ratio.
//   npm run bench -- doses [--beside FOLDER] [--rounds N] [--doses N]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { PROGRAM } from '../scripts/build-node.mjs';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    beside: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    doses: { type: 'string', default: '40' },
  },
});
const contents = readFileSync(path.join(here, 'bench/doses/child.ts'), 'utf8');

/** Bundles the child from a version's sources. @returns its path */
async function bundle(folder) {
  const outdir = path.join(folder, 'tmp', 'bundles');
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `doses-child-${process.pid}.mjs`);
  await build({
    ...PROGRAM,
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    outfile,
    alias: { '#app': './app', '#models': './models', '#tests': './tests' },
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  return { folder, outfile };
}

async function run({ folder, outfile }) {
  const child = spawn(process.execPath, [outfile, values.doses], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  return JSON.parse(output.trim().split('\n').at(-1));
}

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const folders = [here, ...(values.beside === undefined ? [] : [path.resolve(values.beside)])];
const versions = await Promise.all(folders.map(bundle));
const results = versions.map(() => []);
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const [index, version] of versions.entries()) results[index].push(await run(version));

const NUMBERS = [
  ['ms', 1],
  ['commands', 1],
  ['perSecond', 0],
];
console.log(
  `${''.padEnd(36)} ${versions.length > 1 ? '  beside' : ''}     here ${versions.length > 1 ? '   ratio' : ''}`,
);
for (const act of Object.keys(results[0][0]))
  for (const [number, digits] of NUMBERS) {
    const [ours, theirs] = results.map((all) => median(all.map((one) => one[act][number])));
    const ratio = theirs === undefined ? '' : (ours / theirs).toFixed(2).padStart(8);
    const before = theirs === undefined ? '' : theirs.toFixed(digits).padStart(8);
    console.log(`${`${act}: ${number}`.padEnd(36)} ${before} ${ours.toFixed(digits).padStart(8)} ${ratio}`);
  }
