// Two people on one server: measures one person's pages while the other runs five searches of 100,000 records at once, has
// 60,000 removed and imports a file.
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';
import mongoose from 'mongoose';
import { check } from './count.mjs';
import { ask, PASSWORD, registerPeople, signIn } from './people.mjs';
import { databaseIn, newFolder, startWeb } from './processes.mjs';

const SEARCHED = 100_000;
const REMOVED = 60_000;
const IMPORTED = 5000;
const SEARCHES_AT_ONCE = 5;
const IDLE_SECONDS = 15;
/** The other one's 95th percentile, compared with the one on a quiet server. */
const MOST_TIMES_SLOWER = 5;
const ROWS_AT_ONCE = 2000;
/** Slow requests are measured, not counted as failures. */
const PATIENCE_MS = 900_000;
const PAGES = [
  '/dashboard/calculator?history=1',
  '/dashboard/vials',
  '/dashboard/schedule',
  '/dashboard/analytics',
  '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25',
];

export const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.95)] ?? 0;
const slowest = (values) => Math.max(...values);

export async function call(port, token, method, address, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return ask(port, address, {
    method,
    headers,
    timeout: PATIENCE_MS,
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The cookies of a browser that signs in. */
export async function cookieOf(port, { email }) {
  const { headers } = await ask(port, '/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: `http://localhost:${port}` },
    body: String(new URLSearchParams({ email, password: PASSWORD })),
  });
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Copies of a stored calculation, straight into the database beside the server; the first `kept` outlive its import. */
export async function copyRows(uri, importId, rowsInAll, kept) {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    const rows = client.db().collection('calculations');
    const sample = await rows.findOne({ importId });
    for (let from = 0; from < rowsInAll; from += ROWS_AT_ONCE) {
      const copies = Array.from({ length: Math.min(ROWS_AT_ONCE, rowsInAll - from) }, (_none, index) => {
        const id = `calc_copy${String(from + index).padStart(9, '0')}`;
        // The first ones stay to be searched, the others go with their import.
        const row = from < kept ? { ...sample, importId: undefined } : sample;
        return { ...row, _id: id, saveKey: id, createdAt: new Date(1_700_000_000_000 + from + index) };
      });
      await rows.insertMany(copies, { ignoreUndefined: true });
    }
  } finally {
    await client.close();
  }
}

const fileOf = (rows) => ({
  calculations: Array.from({ length: rows }, (_, index) => ({
    id: `calc_file${String(index).padStart(9, '0')}`,
    createdAt: new Date(1_600_000_000_000 + index * 1000).toISOString(),
    peptideName: `Row ${index}`,
    notes: 'in the morning, before breakfast',
    peptideAmount: 5,
    waterVolume: 2,
    desiredDose: 0.25,
  })),
});

export async function importFile(port, token, rows) {
  const answer = await call(port, token, 'POST', '/api/import', fileOf(rows));
  if (answer.status !== 201 && answer.status !== 200)
    throw new Error(`the import answered ${answer.status}: ${answer.body.slice(0, 200)}`);
  return JSON.parse(answer.body).data.import.id;
}

/** Reads pages one after the other until told to stop. @returns ms of each request, and how many failed */
export async function browse(port, cookie, goesOn) {
  const times = [];
  let failed = 0;
  for (let turn = 0; goesOn(); turn += 1) {
    const begin = performance.now();
    const { status } = await ask(port, PAGES[turn % PAGES.length], { headers: { cookie } });
    times.push(performance.now() - begin);
    if (status !== 200) failed += 1;
  }
  return { times, failed };
}

/** Searches repeatedly, as many at once as a person may. @returns the number of searches by status */
async function search(port, token, goesOn) {
  const statuses = {};
  const one = async () => {
    while (goesOn()) {
      const { status } = await call(port, token, 'GET', '/api/calculations?search=not-in-any-of-them');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: SEARCHES_AT_ONCE }, one));
  return statuses;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

async function measure(port, folder) {
  const [busy, other] = await registerPeople(port, 2, 'two');
  const { token } = await signIn(port, busy);
  const cookie = await cookieOf(port, other);
  const importId = await importFile(port, token, 1);
  const database = databaseIn(folder);
  const served = await database.start();
  await copyRows(database.uri, importId, SEARCHED + REMOVED, SEARCHED);
  await served.stop();

  const until = performance.now() + IDLE_SECONDS * 1000;
  await browse(port, cookie, () => performance.now() < until - (IDLE_SECONDS * 1000) / 2);
  const idle = await browse(port, cookie, () => performance.now() < until);

  let isBusy = true;
  const goesOn = () => isBusy;
  const reading = browse(port, cookie, goesOn);
  const searching = search(port, token, goesOn);
  const undo = async () => {
    const { status, body } = await call(port, token, 'POST', `/api/import/${importId}/undo`);
    if (status >= 300) throw new Error(`the undo answered ${status}: ${body.slice(0, 200)}`);
  };
  const [removing, importing] = await Promise.all([
    timed(undo),
    timed(() => importFile(port, token, IMPORTED)),
  ]);
  isBusy = false;
  return { idle, busy: await reading, searches: await searching, removing, importing };
}

/** The scenario, with its checks. */
export async function twoUsers() {
  const { folder, remove } = newFolder();
  const web = await startWeb({ DATA_DIR: path.join(folder, 'data') });
  try {
    const { idle, busy, searches, removing, importing } = await measure(web.port, folder);
    const [quiet, loud] = [p95(idle.times), p95(busy.times)];
    console.log(
      `two users: the other's pages ${quiet.toFixed(0)} ms idle (p95 of ${idle.times.length}), ${loud.toFixed(0)} ms meanwhile ` +
        `(p95 of ${busy.times.length}, slowest ${slowest(busy.times).toFixed(0)}); ${REMOVED} removed in ${removing.toFixed(1)} s, ` +
        `${IMPORTED} imported in ${importing.toFixed(1)} s, searches by status ${JSON.stringify(searches)}`,
    );
    check(
      `another person's pages take at most ${MOST_TIMES_SLOWER} times as long (95th percentile)`,
      loud <= MOST_TIMES_SLOWER * quiet,
      `${(loud / quiet).toFixed(1)} times`,
    );
    check('all of them were answered', busy.failed === 0, `${busy.failed} were not`);
  } finally {
    await web.stop();
    remove();
  }
}
