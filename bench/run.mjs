// Measures every figure with a limit and prints one table; the last line is the verdict.
//   npm run build && npm run bench                 all of them, which takes a while
//   npm run bench -- --quick                       smaller amounts: takes minutes, less precise
//   npm run bench -- web history                   some by name
//   npm run bench -- --json FILE                   where the figures go (tmp/bench.json)
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** All benchmarks, with their arguments for a full and a quick run. */
const BENCHES = {
  web: { file: 'web.mjs', whole: [], quick: ['--quick'] },
  paint: { file: 'paint.mjs', whole: ['9'], quick: ['3'] },
  interaction: { file: 'interaction.mjs', whole: ['5'], quick: ['3'] },
  calc: { file: 'calc.mjs', whole: [], quick: ['60000'] },
  export: { file: 'export.mjs', whole: [], quick: ['100000'] },
  'export-all': { file: 'export-all.mjs', whole: ['--full'], quick: ['20000'] },
  import: { file: 'import.mjs', whole: [], quick: ['5000'] },
  health: { file: 'health-import.mjs', whole: [], quick: ['100'] },
  history: { file: 'history.mjs', whole: [], quick: ['50000'] },
  analytics: { file: 'analytics.mjs', whole: [], quick: ['3'] },
  recall: { file: 'recall.mjs', whole: [], quick: ['30000'] },
  today: { file: 'today.mjs', whole: [], quick: ['1000', '10000'] },
  schedule: { file: 'schedule.mjs', whole: [], quick: ['100'] },
  worker: { file: 'worker.mjs', whole: [], quick: [] },
  engine: { file: 'engine/driver.mjs', whole: [], quick: ['100000'] },
  storage: { file: 'engine/storage.mjs', whole: [], quick: ['100000'] },
  kill: { file: 'engine/kill.mjs', whole: [], quick: ['20'] },
  rounds: { file: 'worker.mjs', whole: ['--kill'], quick: ['--kill', '5000'] },
  admin: { file: 'admin.mjs', whole: ['--million'], quick: [] },
  lighthouse: { file: 'lighthouse.mjs', whole: [], quick: ['1'] },
};

/** A line of output with a limit. */
const FIGURE = /^(.+?)\s+(\S+)\s+to reach (.+?)\s{2,}(ok|MISSED)\s*$/;
/** The format of a figure; anything else, such as NaN, is invalid. */
const NUMBER = /^-?\d[\d.,]*$/;

function run(name, { file, whole, quick }, isQuick) {
  return new Promise((resolve) => {
    const args = [path.join('bench', file), ...(isQuick ? quick : whole)];
    const child = spawn(process.execPath, ['--expose-gc', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    child.once('close', (code) => {
      const figures = output
        .split('\n')
        .map((line) => FIGURE.exec(line))
        .filter((found) => found !== null)
        .map(([, figure, value, limit, verdict]) => ({
          bench: name,
          figure,
          value,
          limit,
          ok: verdict === 'ok' && NUMBER.test(value),
        }));
      const isBroken = figures.length === 0 || (code !== 0 && figures.every(({ ok }) => ok));
      resolve({ name, figures, isBroken, errors: errors.trim().split('\n').slice(-5).join('\n') });
    });
  });
}

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const jsonAt = args.indexOf('--json');
const jsonFile = path.resolve(root, jsonAt >= 0 ? (args[jsonAt + 1] ?? '') : 'tmp/bench.json');
const named = args.filter((arg, index) => !arg.startsWith('--') && (jsonAt < 0 || index !== jsonAt + 1));
const unknown = named.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
if (!existsSync(path.join(root, 'build/web/server.js'))) {
  console.error('There is no build yet. Run: npm run build');
  process.exit(2);
}

const chosen = Object.entries(BENCHES).filter(([name]) => named.length === 0 || named.includes(name));
const figures = [];
const broken = [];
for (const [name, bench] of chosen) {
  const result = await run(name, bench, isQuick);
  console.log(`\n${name}`);
  for (const { figure, value, limit, ok } of result.figures)
    console.log(`  ${figure.padEnd(66)} ${value.padStart(10)}   ${limit.padEnd(8)} ${ok ? 'ok' : 'MISSED'}`);
  figures.push(...result.figures);
  if (!result.isBroken) continue;
  broken.push(name);
  console.log(`  did not run to its end\n${result.errors}`);
}

const load = os.loadavg()[0] ?? 0;
const machine = {
  node: process.version,
  cpus: os.cpus().length,
  load: Number(load.toFixed(2)),
  quick: isQuick,
};
mkdirSync(path.dirname(jsonFile), { recursive: true });
writeFileSync(jsonFile, `${JSON.stringify({ machine, figures, broken }, null, 2)}\n`);
const missed = figures.filter(({ ok }) => !ok);
console.log(
  `\n${machine.cpus} processors, load ${machine.load} at the end; figures in ${path.relative(root, jsonFile)}`,
);
console.log(
  `bench: ${figures.length} figures, ${missed.length} missed, ${broken.length} broken: ${missed.length + broken.length === 0 ? 'PASSED' : 'FAILED'}`,
);
process.exitCode = missed.length + broken.length === 0 ? 0 : 1;
