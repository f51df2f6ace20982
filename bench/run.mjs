// `npm run bench`: the names of all benchmarks and long runs; each of them prints how it is called in its first lines.
//   npm run build && npm run bench -- NAME [arguments]     runs one
//   npm run bench -- all [--quick]                         every figure with a limit in one table, whose last line is the verdict
//   npm run bench -- web history [--quick]                 the table for some of them
//   npm run bench -- all --json FILE                       where the figures go (tmp/bench.json)
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The figures with limits, with their arguments for a full and a quick run. */
const FIGURES = {
  web: { file: 'web.mjs', whole: [], quick: ['--quick'] },
  paint: { file: 'paint.mjs', whole: ['9'], quick: ['3'] },
  interaction: { file: 'interaction.mjs', whole: ['5'], quick: ['3'] },
  calc: { file: 'calc.mjs', whole: [], quick: ['60000'] },
  export: { file: 'export.mjs', whole: [], quick: ['100000'] },
  'export-all': { file: 'export-all.mjs', whole: ['--full'], quick: ['20000'] },
  import: { file: 'import.mjs', whole: [], quick: ['5000'] },
  'health-import': { file: 'health-import.mjs', whole: [], quick: ['100'] },
  history: { file: 'history.mjs', whole: [], quick: ['50000'] },
  analytics: { file: 'analytics.mjs', whole: [], quick: ['3'] },
  recall: { file: 'recall.mjs', whole: [], quick: ['30000'] },
  today: { file: 'today.mjs', whole: [], quick: ['1000', '10000'] },
  schedule: { file: 'schedule.mjs', whole: [], quick: ['100'] },
  worker: { file: 'worker.mjs', whole: [], quick: [] },
  engine: { file: 'engine/driver.mjs', whole: [], quick: ['100000'] },
  storage: { file: 'engine/storage.mjs', whole: [], quick: ['100000'] },
  kill: { file: 'engine/kill.mjs', whole: [], quick: ['20'] },
  'worker-kill': { file: 'worker.mjs', whole: ['--kill'], quick: ['--kill', '5000'] },
  admin: { file: 'admin.mjs', whole: ['--million'], quick: [] },
  lighthouse: { file: 'lighthouse.mjs', whole: [], quick: ['1'] },
};

/** Runs with an output of their own. */
const RUNS = {
  doses: 'doses.mjs',
  pages: 'pages.mjs',
  html: 'html.mjs',
  insert: 'engine/insert-cost.mjs',
  growing: 'growing.mjs',
  soak: 'soak.mjs',
  faults: 'faults.mjs',
  'scale-out': 'scale-out.mjs',
  restore: 'restore.mjs',
  shards: 'shards.mjs',
  integrations: 'integrations.mjs',
  guide: 'guide.mjs',
  stress: 'engine/stress/run.mjs',
  transactions: 'engine/transactions.mjs',
};

const fileOf = (name) => path.join(root, 'bench', RUNS[name] ?? FIGURES[name].file);
const isKnown = (name) => Object.hasOwn(FIGURES, name) || Object.hasOwn(RUNS, name);

/** A line of output with a limit. */
const FIGURE = /^(.+?)\s+(\S+)\s+to reach (.+?)\s{2,}(ok|MISSED)\s*$/;
/** The format of a figure; anything else, such as NaN, is invalid. */
const NUMBER = /^-?\d[\d.,]*$/;

/** What a file's first comment begins with. */
function summaryOf(file) {
  const [comment] = readFileSync(file, 'utf8').split(/\n(?!\/\/)/);
  const [summary] = comment
    .replaceAll(/\n?\/\/ */g, ' ')
    .trim()
    .split(/[.:;] /);
  return summary;
}

/** Prints all names, each with what its file says about it. */
function list() {
  for (const name of [...Object.keys(FIGURES), ...Object.keys(RUNS)])
    console.log(`${name.padEnd(14)}${summaryOf(fileOf(name))}`);
  console.log('\nnpm run bench -- NAME [arguments], or "all" for a table of all figures that have a limit.');
}

/** Runs one before the caller's eyes, with their arguments if there are any. */
function runAlone(name, given) {
  const args = given.length > 0 ? given : (FIGURES[name]?.whole ?? []);
  const child = spawn(process.execPath, ['--expose-gc', fileOf(name), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
}

function figuresOf(name, isQuick) {
  const { whole, quick } = FIGURES[name];
  return new Promise((resolve) => {
    const args = [fileOf(name), ...(isQuick ? quick : whole)];
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
      resolve({ figures, isBroken, errors: errors.trim().split('\n').slice(-5).join('\n') });
    });
  });
}

/** Runs some of the figures one after the other and prints their table. */
async function table(names, { isQuick, jsonFile }) {
  const figures = [];
  const broken = [];
  for (const name of names) {
    const result = await figuresOf(name, isQuick);
    console.log(`\n${name}`);
    for (const { figure, value, limit, ok } of result.figures)
      console.log(
        `  ${figure.padEnd(66)} ${value.padStart(10)}   ${limit.padEnd(8)} ${ok ? 'ok' : 'MISSED'}`,
      );
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
}

/** Ends with a reason. */
function refuse(reason) {
  console.error(reason);
  process.exit(2);
}

const [first, ...rest] = process.argv.slice(2);
const isTable =
  first === 'all' ||
  (Object.hasOwn(FIGURES, first ?? '') && rest.some((name) => Object.hasOwn(FIGURES, name)));
if (first === undefined) list();
else if (first !== 'all' && !isKnown(first)) refuse(`There is no ${first}. "npm run bench" lists all names.`);
else if (!existsSync(path.join(root, 'build/web/server.js')))
  refuse('There is no build yet. Run: npm run build');
else if (!isTable) runAlone(first, rest);
else {
  const jsonAt = rest.indexOf('--json');
  const [, jsonName = 'tmp/bench.json'] = jsonAt < 0 ? [] : rest.splice(jsonAt, 2);
  const names = first === 'all' ? Object.keys(FIGURES) : [first, ...rest.filter((arg) => arg !== '--quick')];
  const unknown = names.filter((name) => !Object.hasOwn(FIGURES, name));
  if (unknown.length > 0) refuse(`There is no figure of ${unknown.join(', ')}.`);
  await table(names, { isQuick: rest.includes('--quick'), jsonFile: path.resolve(root, jsonName) });
}
