// The cost of the storage layer compared with SQLite alone at the same durability (a commit is on disk before it is acknowledged).
// npm run bench -- storage [documents]    prints ratios; the largest collection has 1,000,000 documents by default
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers';
import path from 'node:path';
import { ObjectId } from 'bson';
import { bundleStorage } from '../../tests/support/rounds/bundle.mjs';
import { makeDocument, median, openRaw, rate } from './measure.mjs';

const { openStore } = await import(await bundleStorage());
const LARGEST = Number(process.argv[2] ?? 1_000_000);
const TURNS = 7;
const PAGE = 20;
const NS = 'bench.calculations';
const base = mkdtempSync(path.join(tmpdir(), 'bench-storage-'));

async function openOurs() {
  const store = await openStore({ dir: path.join(base, 'inserts') });
  await store.write((txn) => txn.createIndexes(NS, [{ key: { userId: 1, createdAt: -1 } }]));
  let n = 0;
  const one = () => store.write((txn) => txn.insert(NS, makeDocument(new ObjectId(), n++, 1000)));
  return { one, close: () => store.close() };
}

/** Measures alternately, because the speed of the disk varies; returns medians. */
async function insertRates() {
  const raw = openRaw(base);
  const ours = await openOurs();
  const turns = [];
  for (let turn = 0; turn < TURNS; turn++) {
    turns.push({
      raw1: await rate(1, raw.one),
      ours1: await rate(1, ours.one),
      raw32: await rate(32, raw.one),
      ours32: await rate(32, ours.one),
    });
  }
  await raw.close();
  await ours.close();
  const of = (pick) => median(turns.map(pick));
  return {
    raw1: of((t) => t.raw1),
    ours1: of((t) => t.ours1),
    raw32: of((t) => t.raw32),
    ours32: of((t) => t.ours32),
    single: of((t) => t.ours1 / t.raw1),
    clients: of((t) => t.ours32 / t.ours1),
  };
}

/** The median time of a call; other work gets its turn after each, as in a server. */
async function medianMicros(times, fn) {
  const taken = [];
  for (let i = 0; i < times; i++) {
    const start = process.hrtime.bigint();
    fn(i);
    taken.push(Number(process.hrtime.bigint() - start) / 1000);
    await new Promise(setImmediate);
  }
  return median(taken);
}

async function fill(store, count) {
  await store.write((txn) =>
    txn.createIndexes(NS, [{ key: { userId: 1, createdAt: -1 } }, { key: { userId: 1, peptideName: 1 } }]),
  );
  for (let at = 0; at < count; at += 1000) {
    const size = Math.min(1000, count - at);
    await store.write((txn) => {
      for (let i = 0; i < size; i++) txn.insert(NS, makeDocument(new ObjectId(), at + i, 10));
    });
  }
}

async function pageCost(count) {
  const dir = path.join(base, `pages-${count}`);
  const store = await openStore({ dir });
  const started = Date.now();
  await fill(store, count);
  const loadRate = Math.round((count / (Date.now() - started)) * 1000);
  const page = (i) =>
    store.read((view) => {
      const query = { filter: { userId: `user-${i % 10}` }, sort: { createdAt: -1 }, limit: PAGE };
      if ([...view.find(NS, query)].length !== PAGE) throw new Error('a page is not full');
    });
  await medianMicros(500, page);
  const micros = await medianMicros(2000, page);
  const point = await medianMicros(2000, (i) =>
    store.read((view) =>
      view.findOne(NS, {
        filter: {
          userId: 'user-1',
          createdAt: new Date(1_700_000_000_000 + (((i * 10 + 1) * 1000) % (count * 1000))),
        },
      }),
    ),
  );
  const count1 = await medianMicros(20, () =>
    store.read((view) => view.count(NS, { filter: { userId: 'user-3' } })),
  );
  const rss = Math.round(process.memoryUsage().rss / 1048576);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const idle = Math.round(process.memoryUsage().rss / 1048576);
  await store.close();
  rmSync(dir, { recursive: true, force: true });
  return { count, micros, point, count1, loadRate, rss, idle };
}

const ratio = (value, digits = 2) => value.toFixed(digits);

/** Prints a figure with a limit; a missed limit fails the run. */
function reach(name, value, limit, ok) {
  console.log(`${name.padEnd(64)} ${value.padStart(9)}   to reach ${limit}   ${ok ? 'ok' : 'MISSED'}`);
  if (!ok) process.exitCode = 1;
}

const rates = await insertRates();
console.log(
  `durable single inserts: store ${Math.round(rates.ours1)}/s, SQLite alone ${Math.round(rates.raw1)}/s; 32 clients: store ${Math.round(rates.ours32)}/s, SQLite alone ${Math.round(rates.raw32)}/s`,
);
reach('storage, durable single inserts ÷ SQLite alone', ratio(rates.single), '>= 0.5', rates.single >= 0.5);
reach('storage, durable inserts: 32 clients ÷ one', ratio(rates.clients, 1), '>= 5', rates.clients >= 5);
const costs = [];
for (const count of [1000, 100_000, LARGEST]) {
  const cost = await pageCost(count);
  costs.push(cost);
  console.log(
    `${count} documents: page of ${PAGE} ${ratio(cost.micros, 0)} µs, point ${ratio(cost.point, 0)} µs, count of a tenth ${ratio(cost.count1, 0)} µs, loaded at ${cost.loadRate}/s, resident ${cost.rss} MB at work, ${cost.idle} MB at rest`,
  );
}
const [small, , large] = costs;
const slower = large.micros / small.micros;
const page = `storage, page of ${PAGE}: ${large.count} documents ÷ ${small.count}`;
reach(page, ratio(slower), '<= 1.5', slower <= 1.5);
reach(
  `storage, resident memory at ${large.count} documents, MB`,
  String(large.idle),
  '<= 200',
  large.idle <= 200,
);
rmSync(base, { recursive: true, force: true });
