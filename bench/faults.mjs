// Operational faults, applied to the program under load: each with a verdict, counted from outside.
//   npm run build && npm run bench -- faults [kill|full-disk|slow-disk|outage|clock|deploy|replica-set …] [--seconds 30]
// Slow, silent and nonsensical mail, push and payment hosts are tests: tests/integration/integrations (mail, push,
// payment-calls) and tests/integration/features/reminders/deliveries.test.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { audit, check, checkAudit, verdict } from './load/count.mjs';
import { ask, keepWriting, newLedger, registerPeople, signIn } from './load/people.mjs';
import { databaseIn, newFolder, startProxy, startWeb, startWorker } from './load/processes.mjs';
import { startReplicaSet } from '../scripts/mongodb.mjs';

const secondsAt = process.argv.indexOf('--seconds');
const SECONDS = secondsAt < 0 ? 30 : Number(process.argv[secondsAt + 1]);
const WRITERS = 6;
/** How long a slow disk takes to flush. */
const FLUSH_MS = 300;
const here = path.dirname(fileURLToPath(import.meta.url));
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ready(port) {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await ask(port, '/readyz')).status === 200) return true;
    await wait(100);
  }
  return false;
}

/** People who write continuously until `end` is called. */
function writers(world, people) {
  let goesOn = true;
  const running = people.map((person) => keepWriting(world, person, () => goesOn));
  return async () => {
    goesOn = false;
    await Promise.all(running);
  };
}

/** Opens the data after the processes have ended, checks every index entry, and counts. */
async function inspect(what, folder, ledger, name = 'data') {
  const database = databaseIn(folder, name);
  const served = await database.start();
  checkAudit(what, await audit(database.uri, ledger), ledger);
  await served.stop();
  const cli = path.join(here, '../build/cli/main.js');
  const env = { ...process.env, DATA_DIR: path.join(folder, name) };
  const { status, stdout } = spawnSync(process.execPath, [cli, 'db', 'verify'], { env, encoding: 'utf8' });
  check(`${what}: every index entry is sound`, status === 0, stdout.trim());
}

/** Web server and worker over one directory, repeatedly killed at random. */
async function kill() {
  const { folder, remove } = newFolder();
  const env = { DATA_DIR: path.join(folder, 'data') };
  const ledger = newLedger();
  let web = await startWeb(env);
  let worker = await startWorker(env);
  const world = { port: web.port, ledger };
  const people = await registerPeople(web.port, WRITERS);
  const end = writers(world, people);
  let kills = 0;
  for (const until = Date.now() + SECONDS * 1000; Date.now() < until; kills += 1) {
    await wait(500 + Math.random() * 3000);
    if (Math.random() < 0.6) {
      await web.stop('SIGKILL');
      web = await startWeb(env, { port: world.port });
    } else {
      await worker.stop('SIGKILL');
      worker = await startWorker(env);
    }
  }
  await end();
  const codes = [(await web.stop()).code, (await worker.stop()).code];
  check(
    `kill: web and worker end with 0 after ${kills} kills`,
    codes.every((code) => code === 0),
    codes.join(' '),
  );
  await inspect('kill', folder, ledger);
  remove();
}

/** The database, in a separate process, disappears for a while without warning. */
async function outage() {
  const { folder, remove } = newFolder();
  const database = databaseIn(folder);
  let served = await database.start();
  const web = await startWeb({ MONGODB_URI: database.uri, DATA_DIR: path.join(folder, 'web') });
  const ledger = newLedger();
  const world = { port: web.port, ledger };
  const people = await registerPeople(web.port, WRITERS);
  const { token } = await signIn(web.port, people[0]);
  const end = writers(world, people);
  await wait(3000);
  await served.stop('SIGKILL');
  await wait(1000);
  const [page, call, public_] = await Promise.all([
    ask(web.port, '/login', {
      method: 'POST',
      headers: {
        origin: `http://localhost:${web.port}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'email=a%40example.org&password=blue-kettle-47',
    }),
    ask(web.port, '/api/calculations', { headers: { authorization: `Bearer ${token}` } }),
    ask(web.port, '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25'),
  ]);
  check(
    'outage: a page says so',
    page.status === 503 && page.body.includes('The database cannot be reached'),
    String(page.status),
  );
  check(
    'outage: the API says so',
    call.status === 503 && call.body.includes('DATABASE_UNAVAILABLE'),
    String(call.status),
  );
  check('outage: what needs no database works', public_.status === 200, String(public_.status));
  await wait(Math.min(30, SECONDS) * 1000);
  served = await database.start();
  check('outage: it works again by itself', await ready(web.port));
  const before = ledger.acknowledged.size;
  await wait(3000);
  await end();
  check('outage: people go on where they were', ledger.acknowledged.size > before);
  check('outage: the server ends with 0', (await web.stop()).code === 0);
  await served.stop();
  await inspect('outage', folder, ledger);
  remove();
}

/** A disk that is full: `DISK` names a directory on a small file system of its own; without one, one is mounted. */
async function fullDisk() {
  const { folder, remove } = newFolder();
  const mount = path.join(folder, 'data');
  mkdirSync(mount);
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0700', 'tmpfs', mount]).status === 0;
  if (!mounted) {
    console.log(
      'skip   full-disk: needs the right to mount a small file system (tests/integration/engine has it in small)',
    );
    return remove();
  }
  const ledger = newLedger();
  const web = await startWeb({ DATA_DIR: mount });
  const people = await registerPeople(web.port, WRITERS);
  const { token } = await signIn(web.port, people[0]);
  const end = writers({ port: web.port, ledger }, people);
  // Who cannot sign in sends nothing that could be refused.
  await wait(3000);
  spawnSync('dd', ['if=/dev/zero', `of=${path.join(mount, 'ballast')}`, 'bs=1M', 'count=200'], {
    stdio: 'ignore',
  });
  await wait(Math.min(SECONDS, 15) * 1000);
  const answers = JSON.stringify([...ledger.failed]);
  check('full disk: writes are refused, not swallowed', (ledger.failed.get(503) ?? 0) > 0, answers);
  check('full disk: and with a reason', !ledger.failed.has(500), answers);
  check('full disk: pages are still served', (await ask(web.port, '/calculator')).status === 200);
  const read = await ask(web.port, '/api/calculations', { headers: { authorization: `Bearer ${token}` } });
  check(
    'full disk: what is kept can be read',
    read.status === 200,
    `${read.status} ${read.body.slice(0, 200)}`,
  );
  spawnSync('rm', ['-f', path.join(mount, 'ballast')]);
  const before = ledger.acknowledged.size;
  await wait(8000);
  await end();
  check('full disk: it works again when there is room', ledger.acknowledged.size > before);
  await web.stop();
  await inspect('full disk', folder, ledger);
  spawnSync('umount', [mount]);
  return remove();
}

/** Builds a library that makes every flush take long, to be loaded before the C library. @returns null without a compiler */
function slowFlush(folder) {
  const [source, library] = [path.join(folder, 'slow.c'), path.join(folder, 'slow.so')];
  const slow = (name) =>
    `int ${name}(int fd) { static int (*real)(int); if (!real) real = dlsym(RTLD_NEXT, "${name}"); usleep(${FLUSH_MS * 1000}); return real(fd); }`;
  const includes = '#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <unistd.h>\n';
  writeFileSync(source, `${includes}${slow('fsync')}\n${slow('fdatasync')}\n`);
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  return status === 0 ? library : null;
}

/** Every flush is slow: on the slow device's directory SLOW_DISK, or else by slowing down the C library's flush. */
async function slowDisk() {
  const { folder, remove } = newFolder();
  const device = process.env.SLOW_DISK;
  const library = device ? null : slowFlush(folder);
  if (!device && library === null) {
    console.log('skip   slow-disk: set SLOW_DISK to a directory on a slow device, or install a C compiler');
    return remove();
  }
  const data = device ? path.join(device, `vialbook-${process.pid}`) : path.join(folder, 'data');
  const web = await startWeb({ DATA_DIR: data, ...(library && { LD_PRELOAD: library }) });
  const ledger = newLedger();
  const people = await registerPeople(web.port, WRITERS);
  const end = writers({ port: web.port, ledger }, people);
  const waits = [];
  for (const until = Date.now() + SECONDS * 1000; Date.now() < until; await wait(200)) {
    const begun = Date.now();
    const { status } = await ask(web.port, '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25');
    waits.push(status === 200 ? Date.now() - begun : Infinity);
  }
  await end();
  const failed = JSON.stringify([...ledger.failed]);
  check('slow disk: writes are slow and none fails', ledger.failed.size === 0, failed);
  check('slow disk: people go on', ledger.acknowledged.size > 0);
  const typical = waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)];
  check('slow disk: a page that writes nothing does not wait for it', typical < FLUSH_MS, `${typical} ms`);
  check('slow disk: the server ends with 0', (await web.stop()).code === 0);
  await inspect('slow disk', path.dirname(data), ledger, path.basename(data));
  spawnSync('rm', ['-rf', data]);
  return remove();
}

const HOUR = 3_600_000;
const JUMPS = [
  ['an hour ahead', HOUR],
  ['a day ahead', 24 * HOUR],
  ['a day back', -24 * HOUR],
  ['right again', 0],
];

/** True when new data has the time of the moved clock. */
async function isShifted(port, person, ledger, shift) {
  const { token } = await signIn(port, person);
  const peptideName = `clock ${shift}`;
  ledger.sent.add(peptideName);
  const { body } = await ask(port, '/api/calculations', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ peptideAmount: 5, waterVolume: 2, desiredDose: '0.25', peptideName }),
  });
  const at = Date.parse(/"createdAt":"([^"]+)"/.exec(body)?.[1]);
  return Math.abs(at - Date.now() - shift) < HOUR / 2;
}

/** The clock of web server and worker jumps while people write; their work and the jobs continue. */
async function clock() {
  const { folder, remove } = newFolder();
  const file = path.join(folder, 'clock');
  const movedClock = new URL('../tests/support/moved-clock.mjs', import.meta.url).href;
  const env = {
    DATA_DIR: path.join(folder, 'data'),
    CLOCK_FILE: file,
    NODE_OPTIONS: `--import ${movedClock}`,
  };
  const web = await startWeb(env);
  const worker = await startWorker(env);
  const ledger = newLedger();
  const people = await registerPeople(web.port, WRITERS);
  const end = writers({ port: web.port, ledger }, people);
  for (const [jump, shift] of JUMPS) {
    await wait(2000);
    writeFileSync(file, String(shift));
    await wait(1000);
    const before = ledger.acknowledged.size;
    await wait(3000);
    check(`clock ${jump}: people go on`, ledger.acknowledged.size > before);
    check(`clock ${jump}: the server goes by it`, await isShifted(web.port, people[0], ledger, shift));
    check(`clock ${jump}: the server is ready`, (await ask(web.port, '/readyz')).status === 200);
  }
  await end();
  const failed = [...ledger.failed].filter(([status]) => status === 0 || status >= 500);
  check('clock: no request failed', failed.length === 0, JSON.stringify(failed));
  const codes = [(await web.stop()).code, (await worker.stop()).code];
  check(
    'clock: server and worker end with 0',
    codes.every((code) => code === 0),
    codes.join(' '),
  );
  await inspect('clock', folder, ledger);
  remove();
}

/** Repeatedly starts a new version next to the old one behind a proxy, and then stops the old one. */
async function deploy() {
  const { folder, remove } = newFolder();
  const proxy = await startProxy([]);
  const env = {
    DATA_DIR: path.join(folder, 'data'),
    APP_URL: `http://localhost:${proxy.port}`,
    TRUST_PROXY: '1',
  };
  let web = await startWeb(env);
  proxy.ports.push(web.port);
  const ledger = newLedger();
  const people = await registerPeople(proxy.port, WRITERS);
  const end = writers({ port: proxy.port, ledger }, people);
  const codes = [];
  for (const until = Date.now() + SECONDS * 1000; Date.now() < until;) {
    await wait(2000);
    const next = await startWeb(env);
    proxy.ports.push(next.port);
    proxy.ports.shift();
    codes.push((await web.stop()).code);
    web = next;
  }
  await end();
  check(
    `deploy: ${codes.length} versions ended with 0`,
    codes.every((code) => code === 0),
    codes.join(' '),
  );
  check('deploy: no request failed', ledger.failed.size === 0, JSON.stringify([...ledger.failed]));
  await web.stop();
  proxy.stop();
  await inspect('deploy', folder, ledger);
  remove();
}

/** The election timeout of a replica set, by which it notices that its primary is gone, unless configured otherwise; in ms. */
const ELECTION_MS = 10_000;

/** The times of an election: how long until another member takes writes, and until the program has saved something again, in ms. */
async function afterLoss(set, ledger, lost) {
  const begin = Date.now();
  const other = async () => {
    const next = await set.primary();
    return next === lost ? wait(50).then(other) : Date.now() - begin;
  };
  const elected = await other();
  while (!(ledger.lastAt > begin + elected)) await wait(20);
  return { elected, saved: ledger.lastAt - begin };
}

/** The ways in which a replica set loses its primary; each gives it back afterwards. */
const LOSSES = {
  'kill -9': { lose: (member) => member.stop('SIGKILL'), restore: (member) => member.start() },
  'a pause': { lose: (member) => member.pause(), restore: (member) => member.resume() },
  'a stepdown': { lose: (member, set) => set.stepDown(), restore: () => undefined },
};

/** A replica set of three loses its primary while people write; what got no proper answer they send again under its key. */
async function replicaSet() {
  const set = await startReplicaSet({ members: 3 });
  const { folder, remove } = newFolder();
  const uri = set.uriOf('vialbook');
  try {
    const web = await startWeb({ MONGODB_URI: uri, DATA_DIR: path.join(folder, 'web') });
    const ledger = newLedger();
    const people = await registerPeople(web.port, WRITERS);
    const end = writers({ port: web.port, ledger, repeats: true }, people);
    const rounds = Math.max(1, Math.round(SECONDS / 30));
    const losses = Object.entries(LOSSES).flatMap((loss) => Array.from({ length: rounds }, () => loss));
    for (const [how, { lose, restore }] of losses) {
      await wait(4000);
      const member = await set.primary();
      await lose(member, set);
      const { elected, saved } = await afterLoss(set, ledger, member);
      check(
        `replica set, ${how}: the first write within 1.5 times the election timeout of ${ELECTION_MS / 1000} s`,
        saved <= 1.5 * ELECTION_MS,
        `${saved} ms, elected after ${elected}`,
      );
      await restore(member);
    }
    await wait(4000);
    await end();
    check('replica set: the server ends with 0', (await web.stop()).code === 0);
    check('replica set: requests were repeated', ledger.repeated.size > 0, String(ledger.repeated.size));
    checkAudit('replica set', await audit(uri, ledger), ledger);
  } finally {
    await set.stop();
    remove();
  }
}

const FAULTS = {
  kill,
  outage,
  deploy,
  clock,
  'full-disk': fullDisk,
  'slow-disk': slowDisk,
  'replica-set': replicaSet,
};
const named = process.argv.slice(2).filter((arg) => arg in FAULTS);
for (const [name, run] of Object.entries(FAULTS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(`\n${name}`);
  await run();
}
verdict('faults');
