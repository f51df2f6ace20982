// The cost of the embedded engine as programs use it, through the official driver, including worker thread and socket,
// compared with SQLite alone at the same durability (a commit is on disk before it is acknowledged).
// npm run bench -- engine [documents]    prints ratios of one run; 1,000,000 documents by default
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { buildNode } from '../../scripts/build-node.mjs';
import { startEngine } from './engine-process.mjs';
import { makeDocument, median, openRaw, rate } from './measure.mjs';

const LARGEST = Number(process.argv[2] ?? 1_000_000);
const SIZES = [1000, 100_000, LARGEST].filter(
  (size, index, all) => size <= LARGEST && all.indexOf(size) === index,
);
const TURNS = 5;
const PAGE = 20;
const CLIENTS = 32;
const base = mkdtempSync(path.join(tmpdir(), 'bench-driver-'));

await buildNode(['engine']);

/** Measures alternately, because the speed of the disk varies; returns medians. */
async function writeRates(client) {
  const raw = openRaw(base);
  const inserts = client.db('bench').collection('inserts');
  await inserts.createIndex({ userId: 1, createdAt: -1 });
  // Opens all connections of the pool before measuring.
  await rate(CLIENTS, () => inserts.findOne({ _id: -1 }), 1000);
  let n = 0;
  const insert = () => inserts.insertOne(makeDocument(n, n++, 100));
  const known = () => ({ _id: Math.floor(Math.random() * n) });
  const update = () => inserts.updateOne(known(), { $inc: { desiredDose: 1 } });
  const read = () => inserts.findOne(known());
  const turns = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    turns.push({
      raw: await rate(1, raw.one),
      raws: await rate(CLIENTS, raw.one),
      insert: await rate(1, insert),
      inserts: await rate(CLIENTS, insert),
      update: await rate(1, update),
      updates: await rate(CLIENTS, update),
      read: await rate(1, read),
      reads: await rate(CLIENTS, read),
    });
  }
  await raw.close();
  return (pick) => median(turns.map(pick));
}

async function fill(items, from, to, users) {
  for (let at = from; at < to; at += 1000) {
    await items.insertMany(
      Array.from({ length: Math.min(1000, to - at) }, (_, index) =>
        makeDocument(at + index, at + index, users),
      ),
    );
  }
}

/** Pages of one user's newest documents, from a collection in which every user has about a thousand. */
async function pageRate(client, size) {
  const items = client.db('bench').collection(`pages${size}`);
  const users = Math.max(1, size / 1000);
  await items.createIndex({ userId: 1, createdAt: -1 });
  await fill(items, 0, size, users);
  const page = () =>
    items
      .find({ userId: `user-${Math.floor(Math.random() * users)}` })
      .sort({ createdAt: -1 })
      .limit(PAGE)
      .toArray();
  await rate(1, page, 500);
  return rate(1, page, 3000);
}

async function aggregationMs(client, size) {
  const items = client.db('bench').collection(`pages${size}`);
  const started = performance.now();
  await items
    .aggregate([{ $group: { _id: '$peptideName', dose: { $sum: '$desiredDose' }, n: { $sum: 1 } } }])
    .toArray();
  return performance.now() - started;
}

const SCANS = 5;
const SAMPLES = 1000;

async function p95OfPointReads(items, size) {
  const times = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const started = performance.now();
    await items.findOne({ _id: Math.floor(Math.random() * size) });
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(SAMPLES * 0.95)];
}

/** How much longer a client waits for one document while another runs five scans of all documents at once. */
async function fairness(uri, client, size) {
  const other = await new MongoClient(uri, { maxPoolSize: 1 }).connect();
  try {
    const items = other.db('bench').collection(`pages${size}`);
    await p95OfPointReads(items, size);
    const idle = await p95OfPointReads(items, size);
    let isDone = false;
    let scans = 0;
    const scanning = Array.from({ length: SCANS }, async () => {
      for (; !isDone; scans += 1)
        await client
          .db('bench')
          .collection(`pages${size}`)
          .countDocuments({ peptideName: /no such name/ });
    });
    const busy = await p95OfPointReads(items, size);
    isDone = true;
    await Promise.all(scanning);
    return { idle, busy, scans };
  } finally {
    await other.close();
  }
}

/** Memory of the process that only runs the engine. */
function residentMb({ pid }) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

function line(name, value, limit = '') {
  console.log(`${name.padEnd(64)} ${String(value).padStart(12)}   ${limit}`);
}

const ratio = (a, b) => (a / b).toFixed(2);

/** Prints a figure with a limit; a missed limit fails the run. */
function reach(name, value, sign, limit) {
  const ok = sign === '>=' ? Number(value) >= limit : Number(value) <= limit;
  line(name, value, `to reach ${sign} ${limit}   ${ok ? 'ok' : 'MISSED'}`);
  if (!ok) process.exitCode = 1;
}

const engine = await startEngine(path.join(base, 'data'));
const client = await new MongoClient(engine.uri, { maxPoolSize: CLIENTS }).connect();
try {
  const of = await writeRates(client);
  const ratioOf = (a, b) => of((turn) => turn[a] / turn[b]).toFixed(2);
  reach('durable inserts, one client: engine ÷ raw SQLite', ratioOf('insert', 'raw'), '>=', 0.5);
  reach(`durable inserts: ${CLIENTS} clients ÷ one`, ratioOf('inserts', 'insert'), '>=', 5);
  line(`durable inserts, ${CLIENTS} clients: engine ÷ raw SQLite`, ratioOf('inserts', 'raws'));
  line('durable updates, one client: engine ÷ raw SQLite', ratioOf('update', 'raw'));
  line(`durable updates: ${CLIENTS} clients ÷ one`, ratioOf('updates', 'update'));
  line('point reads ÷ durable inserts, one client', ratioOf('read', 'insert'));
  line(`point reads: ${CLIENTS} clients ÷ one`, ratioOf('reads', 'read'));
  const perSecond = ['raw', 'insert', 'inserts', 'read'].map((name) => Math.round(of((turn) => turn[name])));
  line(`for orientation: raw, inserts/s, with ${CLIENTS} clients, reads/s`, perSecond.join(' '));
  const pages = [];
  for (const size of SIZES) pages.push(await pageRate(client, size));
  SIZES.forEach((size, index) =>
    reach(
      `page of ${PAGE} from ${size} documents: time ÷ from ${SIZES[0]}`,
      ratio(pages[0], pages[index]),
      '<=',
      1.5,
    ),
  );
  reach(`resident memory with ${LARGEST} documents, MB`, residentMb(engine).toFixed(0), '<=', 200);
  const { idle, busy, scans } = await fairness(engine.uri, client, LARGEST);
  reach(`point read, p95: during ${SCANS} scans of ${LARGEST} documents ÷ idle`, ratio(busy, idle), '<=', 10);
  line(
    'for orientation: p95 idle and busy, ms; scans meanwhile',
    `${idle.toFixed(2)} ${busy.toFixed(2)} ${scans}`,
  );
  const [small, large] = [await aggregationMs(client, SIZES[0]), await aggregationMs(client, LARGEST)];
  line('group by a field: time per document, largest ÷ smallest', ratio(large / LARGEST, small / SIZES[0]));
  line(
    'for orientation: pages/s, ms to group all documents',
    `${Math.round(pages.at(-1))} ${Math.round(large)}`,
  );
} finally {
  await client.close();
  await engine.close();
  rmSync(base, { recursive: true, force: true });
}
