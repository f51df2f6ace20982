// Prints, as a ratio of one run: doses per second of the schedule expander against a bare luxon loop that steps from day
// to day and sets the time. The loop knows no interval, ramp or course, and answers a repeated hour by chance.
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { DateTime } from 'luxon';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const LIMIT = 2;
const ROUNDS = 5;
const SCHEDULES = Number(process.argv[2] ?? 400);
const DAYS = 35;
const DAY_MS = 86_400_000;
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'];

const outfile = path.join(root, `node_modules/.bench-schedule-${process.pid}.mjs`);
await build({
  entryPoints: [path.join(root, 'app/domain/schedules/occurrences.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'error',
});
const { occurrences } = await import(outfile);
rmSync(outfile);

const from = new Date('2026-03-01T00:00:00Z');
const window = { from, to: new Date(from.getTime() + DAYS * DAY_MS) };

const rules = Array.from({ length: SCHEDULES }, (_, index) => ({
  frequency: { kind: 'daily' },
  times: ['08:00', '20:00'],
  timeZone: ZONES[index % ZONES.length],
  startDate: '2026-01-01',
  endDate: null,
  doseAmount: '0.25',
  doseUnit: 'mg',
  ramp: null,
  course: null,
}));

function expanded() {
  return rules.reduce((sum, rule) => sum + occurrences(rule, window).length, 0);
}

function looped() {
  let count = 0;
  for (const { timeZone } of rules) {
    let day = DateTime.fromJSDate(window.from, { zone: timeZone }).startOf('day');
    for (; day.toMillis() < window.to.getTime(); day = day.plus({ days: 1 })) {
      for (const hour of [8, 20]) {
        const at = day.set({ hour }).toJSDate();
        if (at >= window.from && at < window.to) count += 1;
      }
    }
  }
  return count;
}

/** Doses per second. */
function rate(walk) {
  const begin = performance.now();
  const count = walk();
  return { count, perSecond: (count / (performance.now() - begin)) * 1000 };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
expanded();
looped();
const pairs = Array.from({ length: ROUNDS }, () => [rate(expanded), rate(looped)]);
const [ours, theirs] = [0, 1].map((side) => median(pairs.map((pair) => pair[side].perSecond)));
if (pairs[0][0].count !== pairs[0][1].count) throw new Error('the two walks do not find the same doses');
const ratio = ours / theirs;
const verdict = ratio >= LIMIT ? 'ok' : 'MISSED';
console.log(
  `doses per second, expander: ${Math.round(ours).toLocaleString('en')}, luxon loop: ${Math.round(theirs).toLocaleString('en')}`,
);
console.log(`expander ÷ luxon loop ${ratio.toFixed(2)}   to reach >= ${LIMIT}   ${verdict}`);
if (ratio < LIMIT) process.exitCode = 1;
