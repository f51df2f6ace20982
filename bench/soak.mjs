// Realistic visits at increasing rates until the server cannot keep up, then half of that rate for a while: measures latency,
// memory, and whether anything was lost or duplicated, counted from outside. Then measures how one person is affected by another
// who runs slow operations, by one who runs as many as the limits allow, and by strangers who send long paths and uploads that
// are refused.
//   npm run build && npm run bench -- soak [visits] [two-users] [abuse] [--minutes 5] [--step-seconds 10] [--people 40]
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { heapHook } from './web/servers.mjs';
import { audit, check, checkAudit, verdict } from './load/count.mjs';
import { journey, newLedger, registerPeople } from './load/people.mjs';
import { databaseIn, newFolder, ownMemoryMb, startWeb } from './load/processes.mjs';
import { abuse } from './load/abuse.mjs';
import { door } from './load/door.mjs';
import { twoUsers } from './load/two-users.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const MINUTES = option('minutes', 5);
const STEP_SECONDS = option('step-seconds', 10);
const PEOPLE = option('people', 40);
/** Past the knee, less than this share of visits end in time, or they take this many times as long as at first. */
const KEEPS_UP = 0.9;
const SLOWER = 5;
const MAX_HEAP_GROWTH_MB = 24;
const GRACE_MS = 2000;
/** Maximum concurrent visits; more would only measure the queue. */
const MOST_UNDERWAY = 400;

const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;

/** Starts visits at a rate, whether or not earlier ones have ended, as real visitors do. */
async function atRate(world, people, perSecond, seconds) {
  const times = [];
  const underway = new Set();
  let [begun, ended, skipped] = [0, 0, 0];
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    for (; begun + skipped < due;) {
      if (underway.size >= MOST_UNDERWAY) {
        skipped += 1;
        continue;
      }
      const visit = journey(world, people[begun % people.length], (ms) => times.push(ms)).finally(() => {
        ended += 1;
        underway.delete(visit);
      });
      underway.add(visit);
      begun += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // A visit that started at the last moment is not late yet.
  await Promise.race([Promise.all(underway), new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
  const inTime = ended;
  await Promise.all(underway);
  return {
    offered: begun + skipped,
    inTime,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}

const shown = ({ p50, p95, p99 }) =>
  `${p50.toFixed(0)} / ${p95.toFixed(0)} / ${p99.toFixed(0)} ms (p50 / p95 / p99 of a request)`;

/** Doubles the rate until visits pile up. @returns the last sustainable rate, in visits per second */
async function findKnee(world, people) {
  let [good, first] = [0.5, null];
  for (let rate = 0.5; rate <= 512; rate *= 2) {
    const step = await atRate(world, people, rate, STEP_SECONDS);
    first ??= step;
    const share = step.offered === 0 ? 1 : step.inTime / step.offered;
    console.log(
      `${String(rate).padStart(6)} visits/s offered, ${(share * 100).toFixed(0)} % done in time, ${shown(step)}`,
    );
    if (share < KEEPS_UP || step.p95 > SLOWER * Math.max(first.p95, 20)) break;
    good = rate;
  }
  return good;
}

/** MB in use after a garbage collection, from the hook that the server was started with. */
async function heapMb(web) {
  const before = web.output().split('heap ').length;
  process.kill(web.pid, 'SIGUSR2');
  while (web.output().split('heap ').length === before)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return Number(/(\d+)/.exec(web.output().split('heap ').at(-1))[1]) / 1024 / 1024;
}

async function visits() {
  const { folder, remove } = newFolder();
  const ledger = newLedger();
  const web = await startWeb(
    { DATA_DIR: path.join(folder, 'data') },
    { nodeArgs: ['--expose-gc', '--import', heapHook] },
  );
  try {
    const world = { port: web.port, ledger };
    const people = await registerPeople(web.port, PEOPLE);
    const knee = await findKnee(world, people);
    console.log(`knee: ${knee} visits of six requests a second`);
    const failedOnTheWay = [...ledger.failed].filter(([status]) => status >= 500).length;
    check(
      'past the knee it grows slow, it does not fail',
      failedOnTheWay === 0,
      failedOnTheWay ? JSON.stringify([...ledger.failed]) : '',
    );
    ledger.failed.clear();
    await atRate(world, people, knee / 2, Math.min(30, MINUTES * 15));
    const before = await heapMb(web);
    const half = await atRate(world, people, knee / 2, MINUTES * 60);
    const after = await heapMb(web);
    console.log(`half of the knee for ${MINUTES} min: ${half.offered} visits, ${shown(half)}`);
    check(
      'every request at half of the knee was answered well',
      ledger.failed.size === 0,
      ledger.failed.size ? JSON.stringify([...ledger.failed]) : '',
    );
    check(
      `heap after collection grew by at most ${MAX_HEAP_GROWTH_MB} MB`,
      after - before <= MAX_HEAP_GROWTH_MB,
      `${before.toFixed(1)} → ${after.toFixed(1)} MB, own memory ${ownMemoryMb(web.pid).toFixed(0)} MB`,
    );
    const { code } = await web.stop();
    check('the server ended with 0', code === 0, String(code));
    const database = databaseIn(folder);
    const served = await database.start();
    checkAudit('soak', await audit(database.uri, ledger), ledger);
    await served.stop();
  } finally {
    await web.stop('SIGKILL');
    remove();
  }
}

/** Scenarios by name; all run by default. */
const SCENARIOS = {
  visits,
  'two-users': twoUsers,
  async abuse() {
    await door();
    await abuse();
  },
};
const asked = Object.keys(SCENARIOS).filter((name) => process.argv.includes(name));
for (const name of asked.length > 0 ? asked : Object.keys(SCENARIOS)) await SCENARIOS[name]();
verdict('soak');
