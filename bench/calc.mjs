// Prints, as ratios of one run: the cold start of `vialbook calc` against an empty node, the rows per second of
// `calc --batch` against a bare loop that parses, computes with the decimal library and prints, and its time against Python's
// `decimal`, which prints the same columns of the same file.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { buildNode } from '../scripts/build-node.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const main = path.join(root, 'build/cli/main.js');
const STARTS = 25;
const ROWS = Number(process.argv[2] ?? 300_000);
const ROUNDS = 3;
const LIMITS = { coldStart: 1.8, batch: 0.7, python: 2, memoryGrowthMb: 64 };

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The arithmetic and the output of a batch, as a script for Python's `decimal` would do it. */
const PYTHON = `
import csv, sys
from decimal import Decimal, ROUND_HALF_UP
two, three = Decimal("0.01"), Decimal("0.001")
rows = csv.reader(sys.stdin)
out = csv.writer(sys.stdout, lineterminator="\\n")
names = next(rows)
at = [names.index(name) for name in ("peptideAmount", "waterVolume", "desiredDose", "desiredDoseUnit")]
out.writerow(names + ["concentration", "injectionVolume", "concentrationText", "injectionVolumeText", "units"])
for row in rows:
    amount, water, dose = (Decimal(row[place]) for place in at[:3])
    if row[at[3]] == "mcg":
        dose = dose / 1000
    concentration, volume = amount / water, dose * water / amount
    texts = [concentration.quantize(two, ROUND_HALF_UP), volume.quantize(three, ROUND_HALF_UP), (volume * 100).quantize(two, ROUND_HALF_UP)]
    out.writerow(row + [float(concentration), float(volume)] + texts)
`;

/** Milliseconds that a program, by default node, takes for these arguments, with files as input and output. */
function timed(args, input = '/dev/null', program = process.execPath) {
  const stdin = openSync(input, 'r');
  const begin = performance.now();
  const { status, stderr } = spawnSync(program, args, { stdio: [stdin, 'ignore', 'pipe'] });
  closeSync(stdin);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return { milliseconds: performance.now() - begin, stderr: String(stderr) };
}

/** Measures both alternately, so that a busy moment of the machine affects both. */
function ratioOf(rounds, measured, baseline) {
  const pairs = Array.from({ length: rounds }, () => [measured(), baseline()]);
  return median(pairs.map(([time]) => time)) / median(pairs.map(([, time]) => time));
}

function report(name, value, limit, ok) {
  console.log(
    `${name.padEnd(58)} ${value.toFixed(2).padStart(8)}   to reach ${limit}   ${ok ? 'ok' : 'MISSED'}`,
  );
  if (!ok) process.exitCode = 1;
}

const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
const rowsOf = (count) => {
  const rows = Array.from(
    { length: count },
    (_, i) => `${1 + (i % 97)},${((i % 95) + 5) / 10},${((i % 50) + 1) * 10},mcg,P${i % 7}`,
  );
  return `peptideAmount,waterVolume,desiredDose,desiredDoseUnit,peptideName\n${rows.join('\n')}\n`;
};

try {
  await buildNode(['cli']);
  const once = [main, 'calc', '--amount', '5mg', '--water', '2ml', '--dose', '250mcg'];
  const cold = ratioOf(
    STARTS,
    () => timed(once).milliseconds,
    () => timed(['-e', '0']).milliseconds,
  );
  report('calc, cold start ÷ node -e 0', cold, `<= ${LIMITS.coldStart}`, cold <= LIMITS.coldStart);

  const many = path.join(folder, 'many.csv');
  const few = path.join(folder, 'few.csv');
  writeFileSync(many, rowsOf(ROWS));
  writeFileSync(few, rowsOf(Math.round(ROWS / 3)));
  const bare = fileURLToPath(new URL('calc-bare-loop.mjs', import.meta.url));
  const batch = [main, 'calc', '--batch', '-'];
  const slower = ratioOf(
    ROUNDS,
    () => timed(batch, many).milliseconds,
    () => timed([bare], many).milliseconds,
  );
  report(
    `calc --batch, rows/s of ${ROWS} rows ÷ bare loop`,
    1 / slower,
    `>= ${LIMITS.batch}`,
    1 / slower >= LIMITS.batch,
  );

  if (spawnSync('python3', ['-c', '']).status === 0) {
    const asLong = ratioOf(
      ROUNDS,
      () => timed(batch, many).milliseconds,
      () => timed(['-c', PYTHON], many, 'python3').milliseconds,
    );
    report(
      `calc --batch, time of ${ROWS} rows ÷ Python's decimal`,
      asLong,
      `<= ${LIMITS.python}`,
      asLong <= LIMITS.python,
    );
  } else console.log("There is no python3 here to compare with Python's decimal.");

  const peak = fileURLToPath(new URL('calc-peak-memory.mjs', import.meta.url));
  const megabytes = (input) => Number(timed(['--import', peak, ...batch], input).stderr) / 1024;
  const growth = megabytes(many) - megabytes(few);
  report(
    `calc --batch, peak memory at ${ROWS} − at a third of the rows, MB`,
    growth,
    `<= ${LIMITS.memoryGrowthMb}`,
    growth <= LIMITS.memoryGrowthMb,
  );
} finally {
  rmSync(folder, { recursive: true });
}
