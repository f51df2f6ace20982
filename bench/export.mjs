// Prints, as ratios of one run: the rows per second of a whole CSV export (database, rounding, file) against bare
// csv-stringify of the same objects, and by how much the process's own memory grows over a small export.
//   node bench/export.mjs [rows]
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stringify } from 'csv-stringify';
import { build } from 'esbuild';
import { buildNode } from '../scripts/build-node.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const ROWS = Number(process.argv[2] ?? 1_000_000);
const LIMITS = { growthMb: 64, ratio: 0.5 };

/** The parts of the program that an export goes through, as one module that plain Node runs. */
async function loadProgram(folder) {
  const outfile = path.join(folder, 'program.mjs');
  await build({
    absWorkingDir: root,
    stdin: {
      resolveDir: root,
      contents: `
        export { default as mongoose } from 'mongoose';
        export { openDatabase } from '#models/index.server.ts';
        export { createCalculationCounters } from '#models/calculation-counter.repository.server.ts';
        export { contextFactory } from '#app/services/context.server.ts';
        export { prepareExport } from '#app/services/export.server.ts';
        export { parseSettings } from '#app/domain/settings/index.ts';
        export { SILENT_LOG } from '#app/domain/log.ts';
        export { toRow } from '#models/calculation-row.server.ts';
        export { calculateFigures } from '#app/domain/calculator/index.ts';
      `,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['#engine-worker'],
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}

const NAMES = ['BPC-157', 'TB-500', 'Semaglutide', 'GHK-Cu', undefined];
const NOTES = ['morning, before food', undefined, 'second vial "B"', undefined];

/** Calculations as people make them: few names, different amounts, some notes. */
function calculationAt(program, userId, index) {
  const input = {
    solveFor: 'volume',
    peptideAmount: String(1 + (index % 97) / 10),
    waterVolume: String(1 + (index % 17) / 4),
    desiredDose: String(100 + (index % 400)),
    desiredDoseUnit: 'mcg',
    syringe: 'u100-1ml',
    displacement: '0',
    peptideName: NAMES[index % NAMES.length],
    notes: NOTES[index % NOTES.length],
  };
  const { concentration, injectionVolume } = program.calculateFigures(input);
  const createdAt = new Date(1_700_000_000_000 + index * 1000);
  const id = `calc_${userId[0]}${createdAt.getTime()}${index.toString(16).padStart(12, '0')}`;
  return program.toRow({
    id,
    userId,
    signInId: null,
    saveKey: id,
    createdAt,
    input,
    concentration,
    injectionVolume,
  });
}

async function seed(program, userId, rows) {
  const collection = program.mongoose.connections.at(-1).collection('calculations');
  for (let from = 0; from < rows; from += 2000) {
    const count = Math.min(2000, rows - from);
    const batch = Array.from({ length: count }, (_, index) => calculationAt(program, userId, from + index));
    await collection.insertMany(batch);
  }
  // Rows written past the program: have them counted as it would have.
  await program
    .createCalculationCounters(program.mongoose.connections.at(-1))
    .markStale({ userId, signInId: null });
}

/** Memory of the process's own, in MB: pages of the database's file, which the system may take back, are not its own. */
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
  await pipeline(prepared.open(), createWriteStream(file));
  const seconds = (performance.now() - begin) / 1000;
  clearInterval(sampler);
  return { records: prepared.totalRecords, seconds, peak: Math.max(peak, ownMemoryMb()) };
}

/** The same columns and values straight through csv-stringify, a thousand different objects again and again. */
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

function report(name, value, limit, ok) {
  console.log(
    `${name.padEnd(64)} ${value.toFixed(2).padStart(9)}   to reach ${limit}   ${ok ? 'ok' : 'MISSED'}`,
  );
  if (!ok) process.exitCode = 1;
}

await buildNode(['engine']);
const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
const program = await loadProgram(path.join(root, 'build'));
const settings = program.parseSettings({ DATA_DIR: path.join(folder, 'data') });
const database = await program.openDatabase(settings, program.SILENT_LOG);
try {
  const { repos } = database;
  const contextFor = program.contextFactory({ repos, settings, log: program.SILENT_LOG, secret: 'bench' });
  const ctx = contextFor({
    actor: { kind: 'cli', osUser: 'bench' },
    client: { address: 'terminal', userAgent: null },
  });
  for (const [id, rows] of [
    ['small', 2000],
    ['large', ROWS],
  ]) {
    const email = `${id}@example.org`;
    await repos.addresses.claim(email, id);
    const createdAt = new Date();
    await repos.users.insert({
      id,
      email,
      passwordHash: '-',
      role: 'user',
      timeZone: 'UTC',
      createdAt,
      grantedAt: createdAt,
    });
    await seed(program, id, rows);
  }
  const file = path.join(folder, 'export.csv');
  for (let round = 0; round < 3; round += 1) await exportOf(program, ctx, 'small@example.org', file);
  globalThis.gc?.();
  const before = ownMemoryMb();
  const large = await exportOf(program, ctx, 'large@example.org', '/dev/null');
  const bare = await bareStringify(file, ROWS);
  console.log(
    `${large.records} rows in ${large.seconds.toFixed(1)} s, bare csv-stringify ${bare.toFixed(1)} s`,
  );
  report(
    'rows/s of an export ÷ bare csv-stringify of the same objects',
    bare / large.seconds,
    `>= ${LIMITS.ratio}`,
    bare / large.seconds >= LIMITS.ratio,
  );
  report(
    'growth of memory over a small export, MB',
    large.peak - before,
    `<= ${LIMITS.growthMb}`,
    large.peak - before <= LIMITS.growthMb,
  );
} finally {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}
