// Shared by the benchmarks of saved calculations: the program as one module, a database, and people with histories.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildNode } from '../scripts/build-node.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The parts of the program used by histories and exports, as one module for plain Node. */
async function loadProgram(folder) {
  const outfile = path.join(folder, 'program.mjs');
  await build({
    absWorkingDir: root,
    stdin: {
      resolveDir: root,
      contents: `
        export { default as mongoose } from 'mongoose';
        export { openDatabase } from '#models/index.server.ts';
        export { compose } from '#app/server/composition.server.ts';
        export { getAnalytics } from '#app/features/analytics/analytics.server.ts';
        export { measuredDays } from '#app/features/tracking/index.server.ts';
        export { logDose } from '#app/features/doses/index.server.ts';
        export { logSite } from '#app/features/tracking/index.server.ts';
        export { addMeasurement } from '#app/features/tracking/health/measurements.server.ts';
        export { saveNutrition } from '#app/features/tracking/index.server.ts';
        export { createSchedule } from '#app/features/schedules/index.server.ts';
        export { addSideEffect } from '#app/features/tracking/index.server.ts';
        export { findRecall, recalledDoses } from '#app/features/lots/index.server.ts';
        export { addVial } from '#app/features/vials/index.server.ts';
        export { prepareExport } from '#app/features/export/index.server.ts';
        export { calculationStatistics, listCalculations } from '#app/features/calculator/calculations.server.ts';
        export { parseSettings } from '#app/domain/settings/settings.ts';
        export { SILENT_LOG } from '#app/domain/log.ts';
        export { toRow } from '#models/calculator/calculation.server.ts';
        export { calculateFigures } from '#app/domain/calculator/calculate.ts';
      `,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['#engine-background', '#engine-worker', '#engine-trial', '#threads/*'],
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}

const NAMES = ['BPC-157', 'TB-500', 'Semaglutide', 'GHK-Cu', undefined];
const NOTES = ['morning, before food', undefined, 'second vial "B"', undefined];

/** Realistic calculations: few names, different amounts, some notes. */
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
  // These rows bypass the program, so their sums are counted and cached on first use, as after any change.
  const counters = program.mongoose.connections.at(-1).collection('calculation_counters');
  await counters.insertOne({ _id: `${userId}/kept`, userId, shelf: 'kept', revision: 1 });
}

/** Opens an empty database and creates a Premium account for each name, with its number of calculations. */
export async function openWithHistories(people) {
  await buildNode(['engine']);
  const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
  const program = await loadProgram(path.join(root, 'build'));
  const settings = program.parseSettings({ DATA_DIR: path.join(folder, 'data') });
  const database = await program.openDatabase(settings, program.SILENT_LOG);
  const { repos } = database;
  const { contextFor } = program.compose({ settings, log: program.SILENT_LOG, database, secret: 'bench' });
  const client = { address: 'terminal', userAgent: null };
  const createdAt = new Date();
  for (const [id, rows] of Object.entries(people)) {
    const email = `${id}@example.org`;
    await repos.addresses.claim(email, id);
    const standing = { role: 'user', timeZone: 'UTC', createdAt, grantedAt: createdAt };
    await repos.users.create({ id, email, passwordHash: '-', ...standing });
    await seed(program, id, rows);
  }
  const close = async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { program, database, folder, close, ctx: (actor) => contextFor({ actor, client }) };
}

/** Prints one line of the report; a missed limit fails the run. */
export function report(name, value, limit, ok) {
  const figures = `${value.toFixed(2).padStart(9)}   to reach ${limit}   ${ok ? 'ok' : 'MISSED'}`;
  console.log(`${name.padEnd(64)} ${figures}`);
  if (!ok) process.exitCode = 1;
}
