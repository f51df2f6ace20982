// The data that people store and the commands they cause, measured from outside: sizes of documents and index entries as
// counted by the engine, and commands over the wire. The figures of "Growing" in docs/operating.md come from here.
//   npm run build && npm run bench -- growing [days] [people]
import path from 'node:path';
import { URLSearchParams } from 'node:url';
import mongoose from 'mongoose';
import { ask, registerPeople, signIn } from './load/people.mjs';
import { databaseIn, newFolder, startWeb } from './load/processes.mjs';
import { startCountingProxy } from './load/counting-proxy.mjs';

const DAYS = Number(process.argv[2] ?? 60);
const PEOPLE = Number(process.argv[3] ?? 4);
const TIMES = ['08:00', '14:00', '20:00'];
const SITES = ['deltoid-left', 'deltoid-right'];
const PAGES = [
  '/dashboard',
  '/dashboard/schedule',
  '/dashboard/vials',
  '/dashboard/calculator?history=1',
  '/dashboard/analytics',
];
const DAY_MS = 86_400_000;

const { folder, remove } = newFolder();
const database = databaseIn(folder);
const served = await database.start();
const near = path.join(folder, 'near.sock');
const proxy = await startCountingProxy(near, path.join(folder, 'db.sock'));
const web = await startWeb({
  MONGODB_URI: `mongodb://${encodeURIComponent(near)}/vialbook?directConnection=true`,
  DATA_DIR: path.join(folder, 'web'),
  WORKER: 'off',
});
const client = new mongoose.mongo.MongoClient(database.uri);

async function call(token, method, address, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await ask(web.port, address, { method, headers, body: body && JSON.stringify(body) });
  if (answer.status >= 300)
    throw new Error(`${address} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
  return JSON.parse(answer.body).data;
}

async function collectionStats() {
  const names = (await client.db().listCollections().toArray()).map(({ name }) => name);
  const all = await Promise.all(names.map((name) => client.db().command({ collStats: name })));
  return new Map(all.map((stats, index) => [names[index], stats]));
}

/** A person's history: doses with sites for a number of days, a calculation a week, a vial, a schedule. */
async function live(person) {
  const { token } = await signIn(web.port, person);
  const startDate = new Date().toISOString().slice(0, 10);
  const plan = { frequency: { kind: 'daily' }, times: TIMES, timeZone: 'UTC', startDate };
  await call(token, 'POST', '/api/schedules', { name: 'BPC-157', doseAmount: 0.25, doseUnit: 'mg', ...plan });
  for (let day = 1; day <= DAYS; day += 1) {
    for (const [index] of TIMES.entries()) {
      const takenAt = new Date(Date.now() - day * DAY_MS - index * 6 * 3_600_000).toISOString();
      const dose = { name: 'BPC-157', actualDose: '0.25', doseUnit: 'mg', takenAt, site: SITES[day % 2] };
      await call(token, 'POST', '/api/schedules/doses', dose);
    }
    if (day % 7 === 0)
      await call(token, 'POST', '/api/calculations', {
        peptideAmount: 5,
        waterVolume: 2,
        desiredDose: '0.25',
      });
  }
  return token;
}

/** The mean number of commands per request. */
async function commandsOf(what, rounds, request) {
  const before = { ...proxy.counts };
  for (let round = 0; round < rounds; round += 1) await request(round);
  const [reads, writes] = ['reads', 'writes'].map((kind) => (proxy.counts[kind] - before[kind]) / rounds);
  console.log(
    `${what.padEnd(44)} ${reads.toFixed(1).padStart(6)} reads ${writes.toFixed(1).padStart(6)} writes`,
  );
}

async function cookieOf({ email }) {
  const { headers } = await ask(web.port, '/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: `http://localhost:${web.port}` },
    body: String(new URLSearchParams({ email, password: 'blue-kettle-47' })),
  });
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

try {
  await client.connect();
  const people = await registerPeople(web.port, PEOPLE);
  const tokens = [];
  for (const person of people) tokens.push(await live(person));
  console.log(`${PEOPLE} people, ${DAYS} days of ${TIMES.length} doses; bytes for each document`);
  let whole = 0;
  for (const [name, { count, size, totalIndexSize, nindexes }] of await collectionStats()) {
    whole += size + totalIndexSize;
    if (count < PEOPLE) continue;
    const each = `${(size / count).toFixed(0).padStart(6)} document ${(totalIndexSize / count).toFixed(0).padStart(6)} index`;
    console.log(`${name.padEnd(28)} ${String(count).padStart(6)} documents ${each} (${nindexes} indexes)`);
  }
  console.log(`in all ${(whole / PEOPLE / DAYS / 1024).toFixed(1)} kB for each person and day`);
  const [token] = tokens;
  const pending = (await call(token, 'GET', '/api/schedules/doses?status=pending')).doses;
  const due = pending.filter((_, index) => index < 5);
  await commandsOf('a dose of the plan taken', due.length, (round) =>
    call(token, 'PATCH', `/api/schedules/doses/${due[round].id}/taken`, { site: SITES[0] }),
  );
  await commandsOf('a dose logged without a plan', 10, () =>
    call(token, 'POST', '/api/schedules/doses', { name: 'TB-500', actualDose: '0.25', doseUnit: 'mg' }),
  );
  const cookie = await cookieOf(people[0]);
  for (const page of PAGES)
    await commandsOf(`page ${page}`, 10, async () => {
      const { status } = await ask(web.port, page, { headers: { cookie } });
      if (status !== 200) throw new Error(`${page} answered ${status}`);
    });
} finally {
  await client.close();
  await web.stop();
  proxy.stop();
  await served.stop();
  remove();
}
