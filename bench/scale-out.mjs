// Two web servers and two workers on one database behind a round-robin proxy: nothing may
// depend on which server answers. During the run, one server is stopped and another started.
//   npm run build && npm run bench -- scale-out [--seconds 20] [--embedded]
// The database is a MongoDB replica set of three, or the embedded engine behind `vialbook db serve`.
import path from 'node:path';
import { audit, check, checkAudit, verdict } from './load/count.mjs';
import { ask, keepWriting, newLedger, registerPeople, signIn } from './load/people.mjs';
import { databaseIn, newFolder, startProxy, startWeb, startWorker } from './load/processes.mjs';
import { startReplicaSet } from '../scripts/mongodb.mjs';

const secondsAt = process.argv.indexOf('--seconds');
const SECONDS = secondsAt < 0 ? 20 : Number(process.argv[secondsAt + 1]);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const { folder, remove } = newFolder();

async function openDatabase() {
  if (process.argv.includes('--embedded')) {
    const { uri, start } = databaseIn(folder);
    const { stop } = await start();
    return { uri, stop };
  }
  const { uriOf, stop } = await startReplicaSet({ members: 3 });
  return { uri: uriOf('vialbook'), stop };
}

const database = await openDatabase();
const proxy = await startProxy([]);
// Each has its own directory, as on separate machines, and must not depend on its contents.
const envOf = (name) => ({
  MONGODB_URI: database.uri,
  DATA_DIR: path.join(folder, name),
  APP_URL: `http://localhost:${proxy.port}`,
  TRUST_PROXY: '1',
  WORKER: 'off',
});
const first = await startWeb(envOf('web-1'));
const second = await startWeb(envOf('web-2'));
const workers = [await startWorker(envOf('worker-1')), await startWorker(envOf('worker-2'))];
proxy.ports.push(first.port, second.port);

const ledger = newLedger();
const people = await registerPeople(proxy.port, 6);
const { token } = await signIn(first.port, people[0]);
const me = (port) => ask(port, '/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
check('a sign-in at one server holds at the other', (await me(second.port)).status === 200);
await ask(second.port, '/api/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
check('and its end at the other holds at the first', (await me(first.port)).status === 401);

let goesOn = true;
const running = people.map((person) => keepWriting({ port: proxy.port, ledger }, person, () => goesOn));
await wait((SECONDS * 1000) / 2);
const third = await startWeb(envOf('web-3'));
proxy.ports.push(third.port);
proxy.ports.splice(proxy.ports.indexOf(first.port), 1);
const { code } = await first.stop();
check('one server stopped and another took its place', code === 0, String(code));
await wait((SECONDS * 1000) / 2);
goesOn = false;
await Promise.all(running);
check('no request failed', ledger.failed.size === 0, JSON.stringify([...ledger.failed]));
checkAudit('scale-out', await audit(database.uri, ledger), ledger);
const ends = [];
for (const one of [second, third, ...workers]) ends.push((await one.stop()).code);
check(
  'all ended with 0',
  ends.every((end) => end === 0),
  ends.join(' '),
);
proxy.stop();
await database.stop();
remove();
verdict('scale-out');
