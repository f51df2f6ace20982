// Prints, as ratios of one run: the rows per second of a whole CSV export (database, rounding, file) against bare
// csv-stringify of the same objects, and by how much the process's own memory grows over a small export.
//   npm run bench -- export [rows]
import { createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { clearInterval, setInterval } from 'node:timers';
import { stringify } from 'csv-stringify';
import { openWithHistories, report } from './calculation-data.mjs';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const LIMITS = { growthMb: 64, ratio: 0.5 };

/** The process's own memory in MB, without pages of the database file, which the system can reclaim. */
function ownMemoryMb() {
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return (kilobytes ? Number(kilobytes[1]) * 1024 : process.memoryUsage().rss) / 1e6;
}

async function exportOf(program, ctx, email, file) {
  const request = { format: 'csv', types: ['calculations'], startDate: '2000-01-01' };
  const prepared = await program.prepareExport(ctx, request, email);
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, ownMemoryMb())), 100);
  const begin = performance.now();
  await pipeline(await prepared.open(), createWriteStream(file));
  const seconds = (performance.now() - begin) / 1000;
  clearInterval(sampler);
  return { records: prepared.totalRecords, seconds, peak: Math.max(peak, ownMemoryMb()) };
}

/** The same columns and values straight through csv-stringify, repeating a thousand different objects. */
async function bareStringify(file, rows) {
  const [header, ...lines] = readFileSync(file, 'utf8').slice(1, 200_000).split('\r\n');
  const columns = header.split(',');
  const objects = lines.slice(1, 1001).map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']));
  });
  const source = async function* () {
    for (let index = 0; index < rows; index += 1) yield objects[index % objects.length];
  };
  const begin = performance.now();
  await pipeline(source(), stringify({ header: true, columns }), createWriteStream('/dev/null'));
  return (performance.now() - begin) / 1000;
}

const { program, folder, close, ctx: contextOf } = await openWithHistories({ small: 2000, large: ROWS });
try {
  const ctx = contextOf({ kind: 'cli', osUser: 'bench' });
  const file = path.join(folder, 'export.csv');
  for (let round = 0; round < 3; round += 1) await exportOf(program, ctx, 'small@example.org', file);
  globalThis.gc?.();
  const before = ownMemoryMb();
  const large = await exportOf(program, ctx, 'large@example.org', '/dev/null');
  const bare = await bareStringify(file, ROWS);
  const [ratio, growth] = [bare / large.seconds, large.peak - before];
  console.log(
    `${large.records} rows in ${large.seconds.toFixed(1)} s, bare csv-stringify ${bare.toFixed(1)} s`,
  );
  report(
    'rows/s of an export ÷ bare csv-stringify of the same objects',
    ratio,
    `>= ${LIMITS.ratio}`,
    ratio >= LIMITS.ratio,
  );
  report(
    'growth of memory over a small export, MB',
    growth,
    `<= ${LIMITS.growthMb}`,
    growth <= LIMITS.growthMb,
  );
} finally {
  await close();
}
