// Where the time of one durable insert goes, step by step from the disk's flush to the driver, on the disk and in memory.
// npm run bench -- insert [turns] [folder...]    for each step µs of a call that nothing else disturbed (the lower
//                                                          quarter of all), how much of it SQLite alone with one key takes, and
//                                                          the processor's time in this process and in the engine's
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { ObjectId } from 'bson';
import { MongoClient } from 'mongodb';
import { buildNode } from '../../scripts/build-node.mjs';
import { bundleStorage } from '../../tests/support/rounds/bundle.mjs';
import { startEngine } from './engine-process.mjs';
import { makeDocument, median, openRaw } from './measure.mjs';

const TURNS = Number(process.argv[2] ?? 9);
const NAMED = process.argv.slice(3);
const FOLDERS = NAMED.length > 0 ? NAMED : [tmpdir(), '/dev/shm'].filter((folder) => existsSync(folder));
/** Calls of one step in a turn. */
const CALLS = 200;
/** Warm-up calls, after which hot code is compiled. */
const WARMING_UP = 1500;
const PAGE_BYTES = 4096;
/** Pages that SQLite writes to its log for one key. */
const PAGES = 4;
const TICK_US = 10_000;

await buildNode(['engine']);
const { openStore } = await import(await bundleStorage());

/** The flush of one commit, without SQLite and in this thread. */
function openFlush(base) {
  const log = openSync(path.join(base, 'flush'), 'w');
  const bytes = Buffer.alloc(PAGES * PAGE_BYTES, 7);
  let n = 0;
  const one = () => {
    writeSync(log, bytes, 0, bytes.length, (n++ % 500) * bytes.length);
    fdatasyncSync(log);
  };
  return { one, close: () => closeSync(log) };
}

async function openStorage(base) {
  const NS = 'bench.rows';
  const store = await openStore({ dir: path.join(base, 'store') });
  await store.write((txn) => txn.createIndexes(NS, [{ key: { userId: 1, createdAt: -1 } }]));
  let n = 0;
  const outcome = Buffer.alloc(110, 7);
  const one = () =>
    store.write((txn) => {
      txn.insert(NS, makeDocument(new ObjectId(), n++, 100));
      txn.putMeta('tsession', outcome);
    });
  return { one, close: () => store.close() };
}

async function openDriver(base) {
  const engine = await startEngine(path.join(base, 'engine'));
  const client = await new MongoClient(engine.uri, { maxPoolSize: 1 }).connect();
  const rows = client.db('bench').collection('rows');
  await rows.createIndex({ userId: 1, createdAt: -1 });
  let n = 0;
  return {
    pid: engine.pid,
    ping: () => client.db('bench').command({ ping: 1 }),
    find: () => rows.findOne({ _id: n - 1 }),
    insert: () => rows.insertOne(makeDocument(n, n++, 100)),
    close: async () => {
      await client.close();
      await engine.close();
    },
  };
}

const lowerQuarter = (values) => values.sort((a, b) => a - b)[values.length >> 2];

/** Processor time of another process, in µs; the system's resolution is a hundredth of a second. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Runs calls one after the other. @returns µs of each call, and processor µs per call in this and the other process */
async function measure(one, pid, calls = CALLS) {
  const before = process.cpuUsage();
  const beforeThere = pid ? processorTime(pid) : 0;
  const clock = [];
  for (let call = 0; call < calls; call += 1) {
    const started = performance.now();
    await one();
    clock.push((performance.now() - started) * 1000);
  }
  const { user, system } = process.cpuUsage(before);
  const there = pid ? (processorTime(pid) - beforeThere) / calls : 0;
  return { clock, here: (user + system) / calls, there };
}

async function costsIn(folder) {
  const base = mkdtempSync(path.join(folder, 'bench-insert-'));
  const [flush, raw, storage, driver] = [
    openFlush(base),
    openRaw(base),
    await openStorage(base),
    await openDriver(base),
  ];
  const steps = [
    ['the flush of one commit alone', flush.one],
    ['SQLite alone: one key, as in bench/engine/driver.mjs', raw.one],
    ['SQLite alone: the five keys that the engine writes', raw.all],
    ['the storage layer in this process', storage.one],
    ['the driver: a ping', driver.ping, driver.pid],
    ['the driver: a point read', driver.find, driver.pid],
    ['the driver: an insert', driver.insert, driver.pid],
  ];
  try {
    await driver.insert();
    for (const [, one, pid] of steps) await measure(one, pid, WARMING_UP);
    const turns = steps.map(() => []);
    // Alternately, because the speed of the disk varies.
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const [index, [, one, pid]] of steps.entries()) turns[index].push(await measure(one, pid));
    const clocks = turns.map((all) => lowerQuarter(all.flatMap(({ clock }) => clock)));
    console.log(`${folder.padEnd(58)}     µs   one key ÷ it   processor here, engine`);
    steps.forEach(([name], index) => {
      const figures = [
        clocks[index].toFixed(0).padStart(6),
        (clocks[1] / clocks[index]).toFixed(2).padStart(14),
        median(turns[index].map(({ here }) => here))
          .toFixed(0)
          .padStart(13),
        median(turns[index].map(({ there }) => there))
          .toFixed(0)
          .padStart(9),
      ];
      console.log(`${name.padEnd(58)} ${figures.join(' ')}`);
    });
  } finally {
    flush.close();
    await raw.close();
    await storage.close();
    await driver.close();
    rmSync(base, { recursive: true, force: true });
  }
}

for (const folder of FOLDERS) await costsIn(folder);
