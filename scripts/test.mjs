// `npm test`: every suite, and beside them types, lint, format and layer rules. The last line is the sum:
// `N passed, N failed`.
//   npm test -- doses --project unit     some tests, without the checks: names and options as vitest takes them
//   npm test -- --size full              all combinations, rounds and rows, of which usually a part is tested
//   npm test -- --seed random .prop.     laws with other cases; a number repeats those of an earlier run
//   npm test -- --server stock           behind `remix-serve` instead of the server of this package
//   npm run validate                     the checks without the suites (`--static`)
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageProgram } from './package-program.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Linux's number for a file system in memory (statfs(2)). */
const TMPFS = 0x01021994;
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Where the suites put their databases: in memory where there is room. Every test writes to one of its own, and each
 * of those writes waits for its disk; nothing in them depends on what a disk keeps when the machine goes down.
 */
function fastFolder() {
  try {
    const { type, bavail, bsize } = statfsSync('/dev/shm');
    if (type === TMPFS && bavail * bsize >= NEEDED_BYTES) return mkdtempSync('/dev/shm/vialbook-');
  } catch {
    // None on this system.
  }
  return mkdtempSync(path.join(os.tmpdir(), 'vialbook-test-'));
}

const scratch = fastFolder();

const STATIC_STEPS = [
  ['types and lint', packageProgram('oxlint'), '--type-aware', '--type-check', '--deny-warnings'],
  ['format', packageProgram('oxfmt'), '--check'],
  [
    'layers',
    packageProgram('dependency-cruiser', 'depcruise'),
    'app',
    'cli',
    'models',
    '--config',
    '.dependency-cruiser.cjs',
  ],
  ['regular expressions', path.join(root, 'scripts/patterns.mjs')],
];

/** Runs a script of node's; resolves to its exit code. With `quiet`, output is shown only when it fails. */
function node(args, { quiet = false, env = {}, priority = os.constants.priority.PRIORITY_NORMAL } = {}) {
  return new Promise((resolve) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...env } });
    if (child.pid !== undefined) os.setPriority(child.pid, priority);
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('close', (code, signal) => {
      const exit = code ?? (signal ? 1 : 0);
      if (quiet && exit !== 0) process.stdout.write(Buffer.concat(output));
      resolve(exit);
    });
  });
}

/**
 * Runs the static checks, so many at a time; at a low priority they take the time that the suites leave, and each one uses one
 * processor: the type checker, written in Go, works out many types again for each further one.
 */
async function runStatic({ lanes, priority }) {
  const env = lanes === 1 ? { GOMAXPROCS: '1' } : {};
  const waiting = [...STATIC_STEPS];
  const sum = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const [name, ...args] = step;
      const exit = await node(args, { quiet: true, priority, env });
      sum[exit === 0 ? 'passed' : 'failed'] += 1;
      console.log(`${exit === 0 ? '✓' : '✗'} ${name}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, worker));
  return sum;
}

/**
 * Builds what is stale and gets Chromium at the same time, then runs the suites. A run that fails without a failed test (a
 * file that does not load) counts as one failure.
 */
async function runSuites(args) {
  const prepared = await Promise.all([
    node([path.join(root, 'scripts/prepare.mjs'), '--test']),
    node([path.join(root, 'scripts/chromium.mjs')]),
  ]);
  if (prepared.some((exit) => exit !== 0)) return { passed: 0, failed: 1 };
  const report = path.join(scratch, 'report.json');
  const exit = await node(
    [
      packageProgram('vitest'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    {
      env: { NODE_ENV: 'test', TMPDIR: scratch },
    },
  );
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = exit !== 0 && numFailedTests === 0 ? 1 : numFailedTests;
    return { passed: numPassedTests, failed: numPassedTests === 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Options of this script, with what the tests read instead of them. */
const OPTIONS = {
  '--size': { variable: 'SIZE', values: /^full$/ },
  '--seed': { variable: 'LAW_SEED', values: /^(random|-?\d+)$/ },
  '--server': { variable: 'SERVER', values: /^stock$/ },
};

/** Takes the options of this script out of the arguments. @returns the rest, which is for vitest */
function takeOptions(args) {
  const rest = [];
  for (let at = 0; at < args.length; at += 1) {
    const [name, joined] = args[at].split('=');
    if (!Object.hasOwn(OPTIONS, name)) {
      rest.push(args[at]);
      continue;
    }
    const { variable, values } = OPTIONS[name];
    if (joined === undefined) at += 1;
    const value = joined ?? args[at] ?? '';
    if (!values.test(value)) {
      console.error(`There is no ${name} "${value}".`);
      process.exit(2);
    }
    process.env[variable] = value;
  }
  return rest;
}

const args = takeOptions(process.argv.slice(2));
const { PRIORITY_NORMAL, PRIORITY_BELOW_NORMAL } = os.constants.priority;
const isStatic = args.includes('--static');
// Who names tests has them run alone.
const isWhole = args.length === 0;
const sums = isStatic
  ? [await runStatic({ lanes: 2, priority: PRIORITY_NORMAL })]
  : await Promise.all([
      runSuites(args),
      ...(isWhole ? [runStatic({ lanes: 1, priority: PRIORITY_BELOW_NORMAL })] : []),
    ]);
rmSync(scratch, { recursive: true, force: true });
const passed = sums.reduce((total, sum) => total + sum.passed, 0);
const failed = sums.reduce((total, sum) => total + sum.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
