// Prints how long Today takes with 1, 100 and 10,000 schedules, and with a long history.
//   npm run bench -- today [schedules] [past doses]
import { URLSearchParams } from 'node:url';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { report } from './calculation-data.mjs';
import { freePort } from './web/servers.mjs';

const MANY = Number(process.argv[2] ?? 10_000);
const PAST = Number(process.argv[3] ?? 100_000);
const ROUNDS = 25;
const DAY = 86_400_000;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
const port = await freePort();
const origin = `http://localhost:${port}`;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function send(address, { method = 'GET', body, cookie } = {}) {
  const headers = { origin, ...(cookie && { cookie }) };
  if (body)
    Object.assign(headers, {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    });
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path: address, method, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer));
    });
    request.on('error', reject).end(body);
  });
}

async function startServer() {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: folder,
    RATE_LIMIT_FACTOR: '1000',
  };
  const child = spawn(process.execPath, ['build/web/server.js'], { cwd: root, env, stdio: 'ignore' });
  for (;;) {
    const answer = await send('/readyz').catch(() => null);
    if (answer?.statusCode === 200) return child;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function register(name) {
  const password = 'blue-kettle-47';
  const fields = {
    email: `${name}@example.org`,
    password,
    confirmPassword: password,
    agreeToTerms: 'on',
    ageVerification: 'on',
    plan: 'trial',
  };
  const answer = await send('/register', { method: 'POST', body: String(new URLSearchParams(fields)) });
  return answer.headers['set-cookie'].map((line) => line.split(';')[0]).join('; ');
}

/** Opens the store like a second process of the program. */
async function openStore() {
  const outfile = path.join(root, 'build', 'bench-today.mjs');
  const contents = `
    export { default as mongoose } from 'mongoose';
    export { openDatabase } from '#models/index.server.ts';
    export { parseSettings } from '#app/domain/settings/settings.ts';
    export { SILENT_LOG } from '#app/domain/log.ts';`;
  const common = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['#engine-background', '#engine-worker', '#engine-trial', '#threads/*'],
  };
  await build({
    absWorkingDir: root,
    stdin: { resolveDir: root, contents },
    outfile,
    logLevel: 'error',
    ...common,
  });
  const program = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  const database = await program.openDatabase(
    program.parseSettings({ DATA_DIR: folder }),
    program.SILENT_LOG,
  );
  return { database, db: program.mongoose.connections.at(-1) };
}

const plan = (userId, index, now) => ({
  _id: `sched_${userId}_${index}`,
  userId,
  name: `Compound ${index % 50}`,
  compoundId: null,
  doseAmount: '250',
  doseUnit: 'mcg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  timeZone: 'UTC',
  startDate: '2026-01-01',
  reminderLeadMinutes: 0,
  isActive: true,
  createdAt: now,
  updatedAt: now,
  revision: 1,
  madeUntil: new Date(now.getTime() + 1000 * DAY),
});

const dose = (userId, index, dueDate, status) => ({
  _id: `dose_${userId}_${index}_${dueDate.getTime()}`,
  userId,
  scheduleId: `sched_${userId}_${index}`,
  scheduleRevision: 1,
  name: `Compound ${index % 50}`,
  localDay: dueDate.toISOString().slice(0, 10),
  wallTime: '08:00',
  timeZone: 'UTC',
  dueDate,
  doseAmount: '250',
  doseUnit: 'mcg',
  status,
  takenAt: status === 'taken' ? dueDate : null,
  actualDose: status === 'taken' ? '250' : null,
  round: status === 'taken' ? 1 : 0,
  draws: [],
  remindAt: null,
  remindStage: 'due',
  remindCount: 0,
  ...(status === 'taken' && {
    before: { status: 'pending', notes: null },
    actedAt: dueDate,
    nameKey: 'compound 0',
  }),
  version: 1,
});

async function insert(collection, count, make) {
  for (let from = 0; from < count; from += 2000) {
    const batch = Array.from({ length: Math.min(2000, count - from) }, (_, index) => make(from + index));
    await collection.insertMany(batch);
  }
}

/** Creates schedules with a dose on each of ten days from yesterday on, and past doses. */
async function seed(db, userId, schedules, past) {
  const now = new Date();
  const start = Math.floor(now.getTime() / 3_600_000) * 3_600_000 - DAY + 3_600_000;
  await insert(db.collection('schedules'), schedules, (index) => plan(userId, index, now));
  const ahead = (index) =>
    dose(userId, index % schedules, new Date(start + Math.floor(index / schedules) * DAY), 'pending');
  await insert(db.collection('doses'), schedules * 10, ahead);
  await insert(db.collection('doses'), past, (index) =>
    dose(userId, 0, new Date(start - 9 * DAY - index * 3_600_000), 'taken'),
  );
}

const server = await startServer();
const people = { one: [1, 0], hundred: [100, 0], many: [MANY, 0], past: [1, PAST] };
const cookies = {};
try {
  for (const name of Object.keys(people)) cookies[name] = await register(name);
  const { database, db } = await openStore();
  for (const [name, [schedules, past]] of Object.entries(people)) {
    const { userId } = await db
      .collection('sessions')
      .findOne({ userId: (await db.collection('users').findOne({ email: `${name}@example.org` }))._id });
    await seed(db, userId, schedules, past);
  }
  await database.close();
  const times = Object.fromEntries(Object.keys(people).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, cookie] of Object.entries(cookies)) {
      const begin = performance.now();
      const { statusCode } = await send('/dashboard/schedule', { cookie });
      if (statusCode !== 200) throw new Error(`${name}: ${statusCode}`);
      times[name].push(performance.now() - begin);
    }
  }
  const ratio = (a, b) => median(times[a]) / median(times[b]);
  for (const name of Object.keys(people))
    console.log(`${name.padEnd(10)} ${median(times[name]).toFixed(1)} ms a page`);
  report(
    `today with ${PAST} past doses ÷ with none`,
    ratio('past', 'one'),
    '<= 1.5',
    ratio('past', 'one') <= 1.5,
  );
  report('today with 100 schedules ÷ with 1', ratio('hundred', 'one'), '<= 8', ratio('hundred', 'one') <= 8);
  report(
    `today with ${MANY} schedules ÷ with 100`,
    ratio('many', 'hundred'),
    '<= 2',
    ratio('many', 'hundred') <= 2,
  );
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}
