// Prints how much more memory a large export of all types needs than a small one, in each format.
//   npm run bench -- export-all [rows]      200,000 rows; --full takes 1,000,000
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { clearInterval, setInterval } from 'node:timers';
import { report } from './calculation-data.mjs';
import { openWithTrackers, personOf } from './tracking-data.mjs';

const ROWS = process.argv.includes('--full') ? 1_000_000 : Number(process.argv[2] ?? 200_000);
const MOST_MB = 64;
const TYPES = [
  'calculations',
  'compounds',
  'schedules',
  'doses',
  'nutrition',
  'sideEffects',
  'injectionSites',
];

/** The process's own memory in MB, without pages of the database file, which the system can reclaim. */
function ownMemoryMb() {
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return (kilobytes ? Number(kilobytes[1]) * 1024 : process.memoryUsage().rss) / 1e6;
}

/** The given number of rows over all types; nutrition has one row per day, so only some years of it. */
function rowsOf(rows) {
  const part = (share, each) => ({ count: Math.floor(rows * share), ago: (index) => 1 + index * each });
  return {
    calculations: Math.floor(rows * 0.4),
    tracked: {
      side_effects: part(0.25, 0.01),
      injection_sites: part(0.25, 0.01),
      compounds: part(0.05, 0.01),
      schedules: part(0.04, 0.01),
      nutrition: { count: Math.min(5000, Math.floor(rows * 0.01)), ago: (index) => 2 + index },
    },
  };
}

async function exportOf(program, ctx, format) {
  const prepared = await program.prepareExport(ctx, { format, types: TYPES });
  let [peak, bytes] = [0, 0];
  const sampler = setInterval(() => (peak = Math.max(peak, ownMemoryMb())), 100);
  const begin = performance.now();
  const sink = new Writable({
    write(chunk, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  await pipeline(await prepared.open(), sink);
  clearInterval(sampler);
  const seconds = (performance.now() - begin) / 1000;
  return { records: prepared.totalRecords, seconds, bytes, peak: Math.max(peak, ownMemoryMb()) };
}

const { program, close, ctx } = await openWithTrackers({ small: rowsOf(2000), large: rowsOf(ROWS) });
try {
  for (const format of ['csv', 'json']) {
    for (let round = 0; round < 3; round += 1) await exportOf(program, ctx(personOf('small')), format);
    globalThis.gc?.();
    const before = ownMemoryMb();
    const { records, seconds, bytes, peak } = await exportOf(program, ctx(personOf('large')), format);
    const growth = peak - before;
    console.log(`${format}: ${records} rows, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`);
    report(
      `${format} of all types: growth of memory over a small export, MB`,
      growth,
      `<= ${MOST_MB}`,
      growth <= MOST_MB,
    );
  }
} finally {
  await close();
}
