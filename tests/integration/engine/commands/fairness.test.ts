import type { Collection, Document } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyStore } from '#models/engine/index.ts';
import { failureOf, useEngine } from '#tests/support/engine.ts';
import { sized } from '#tests/support/size.ts';
import { commandBytes, openWire } from '#tests/support/wire-client.ts';

const engine = useEngine();
const COUNT = 60_000;
/** A write of these takes seconds, which is long enough to catch it at work. */
const WRITTEN = sized(25_000, COUNT);

interface Row {
  _id: number;
  text: string;
  group: number;
  state?: string;
  code?: string;
}

async function fill(rows: Collection<Row>, count = COUNT): Promise<void> {
  await rows.insertMany(
    Array.from({ length: count }, (_, n) => ({ _id: n, text: `row ${n * 7919}`, group: n % 977 })),
  );
}

/** How many point reads of another client are answered while something runs. */
async function readsDuring(work: Promise<unknown>): Promise<number> {
  const other = await engine.connect({ maxPoolSize: 1 });
  const points = other.db('points').collection<{ _id: number }>('points');
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  let reads = 0;
  for (; !isDone; reads += 1) await points.findOne({ _id: 1 });
  await settled;
  return reads;
}

/** What runs besides the question itself. */
async function running(): Promise<Document[]> {
  const all = await engine.client
    .db('admin')
    .aggregate([{ $currentOp: {} }])
    .toArray();
  return all.filter(({ command }) => !(command as Document)['aggregate']);
}

/** Waits until a command of this name is under way, which must be one that takes long; gives its number. */
async function underWay(name: string): Promise<number> {
  for (;;) {
    const found = (await running()).find(({ command }) => Object.hasOwn(command as Document, name));
    if (found) return found['opid'] as number;
  }
}

async function untilNothingRuns(): Promise<void> {
  while ((await running()).length > 0);
}

describe('while a long read runs, other clients are served', () => {
  let rows: Collection<Row>;

  beforeAll(async () => {
    rows = engine.db().collection<Row>('rows');
    await fill(rows);
  });

  const LONG: [string, () => Promise<unknown>][] = [
    ['a search', () => rows.find({ text: /no such row/ }).toArray()],
    ['a count', () => rows.countDocuments({ text: { $regex: 'x' } })],
    [
      'a sort',
      () =>
        rows
          .find()
          .sort({ text: 1 })
          .skip(COUNT - 1)
          .toArray(),
    ],
    [
      'an aggregation',
      () =>
        rows.aggregate([{ $group: { _id: '$text' } }, { $group: { _id: null, n: { $sum: 1 } } }]).toArray(),
    ],
    [
      'a sort in a pipeline',
      () =>
        rows
          .aggregate([
            { $group: { _id: '$_id', text: { $max: '$text' } } },
            { $sort: { text: -1 } },
            { $limit: COUNT },
            { $group: { _id: null, n: { $sum: 1 } } },
          ])
          .toArray(),
    ],
    ['distinct values', () => rows.distinct('text', { group: { $gt: 700 } })],
    ['a large reply', () => rows.find().batchSize(COUNT).toArray()],
    ['an explanation that runs it', () => rows.find({ text: /x/ }).explain('executionStats')],
  ];

  it.each(LONG)('%s', async (_name, start) => {
    expect(await readsDuring(start())).toBeGreaterThan(8);
  });

  it('and five concurrent searches return the same as each alone', async () => {
    const start = () => rows.countDocuments({ text: /7$/ });
    const alone = await start();
    const together = Promise.all(Array.from({ length: 5 }, start));
    expect(await readsDuring(together)).toBeGreaterThan(8);
    expect(await together).toEqual(Array.from({ length: 5 }, () => alone));
  });

  it('ends when its time limit is exceeded, even across several batches', async () => {
    const { db } = rows;
    const LATE: (() => Promise<unknown>)[] = [
      () =>
        rows
          .find({ text: /no such row/ })
          .maxTimeMS(1)
          .toArray(),
      () => rows.countDocuments({ text: /x/ }, { maxTimeMS: 1 }),
      () => rows.distinct('text', {}, { maxTimeMS: 1 }),
      () =>
        rows.aggregate([{ $sort: { text: 1 } }, { $group: { _id: '$text' } }], { maxTimeMS: 1 }).toArray(),
      () => rows.find().sort({ text: 1 }).maxTimeMS(1).toArray(),
      () => rows.find().batchSize(100).maxTimeMS(20).toArray(),
      () => rows.findOneAndUpdate({ text: 'none' }, { $set: { state: 'late' } }, { maxTimeMS: 1 }),
      () =>
        db.command({
          update: 'rows',
          updates: [{ q: {}, u: { $set: { state: 'late' } }, multi: true }],
          maxTimeMS: 1,
        }),
      () => db.command({ delete: 'rows', deletes: [{ q: {}, limit: 0 }], maxTimeMS: 1 }),
    ];
    for (const late of LATE)
      expect(await failureOf(late())).toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
    expect(await rows.countDocuments({ state: 'late' })).toBe(0);
    expect(await rows.countDocuments()).toBe(COUNT);
    await untilNothingRuns();
  });

  it('ends when it is killed', async () => {
    const long = failureOf(rows.find({ text: /row/ }).sort({ text: 1 }).toArray());
    await engine.client.db('admin').command({ killOp: 1, op: await underWay('find') });
    expect(await long).toMatchObject({ code: 11601 });
  });

  it('ends when its client disconnects', async () => {
    const client = await openWire(engine.uri);
    client.write(commandBytes({ count: 'rows', query: { text: { $regex: 'y' } }, $db: rows.dbName }));
    await underWay('count');
    client.socket.destroy();
    await untilNothingRuns();
    expect(await engine.client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
  });
});

describe('a write of many documents', () => {
  let rows: Collection<Row>;

  beforeEach(async () => {
    rows = engine.db().collection<Row>('rows');
    await rows.createIndex({ group: 1 });
    await fill(rows, WRITTEN);
  });

  /** Counts what is there again and again while a write runs. */
  async function countsDuring(work: Promise<unknown>, filter: Document): Promise<Set<number>> {
    const counts = new Set<number>();
    let isDone = false;
    const settled = work.finally(() => {
      isDone = true;
    });
    const other = await engine.connect();
    const seen = other.db(rows.dbName).collection('rows');
    while (!isDone) counts.add(await seen.countDocuments(filter));
    await settled;
    counts.add(await seen.countDocuments(filter));
    return counts;
  }

  it('becomes visible completely or not at all', async () => {
    const changed = countsDuring(rows.updateMany({}, { $set: { group: 5000 } }), { group: 5000 });
    expect([...(await changed)].sort((a, b) => a - b)).toEqual([0, WRITTEN]);
    const removed = countsDuring(rows.deleteMany({ group: 5000 }), { group: 5000 });
    expect([...(await removed)].sort((a, b) => a - b)).toEqual([0, WRITTEN]);
  });

  it('lets others read meanwhile, as does an index build', async () => {
    expect(await readsDuring(rows.createIndex({ text: 1 }))).toBeGreaterThan(8);
    expect(await readsDuring(rows.updateMany({}, { $set: { state: 'seen' } }))).toBeGreaterThan(8);
    expect(await readsDuring(rows.deleteMany({ state: 'seen' }))).toBeGreaterThan(8);
    expect(await rows.countDocuments()).toBe(0);
    expect((await verifyStore({ dir: engine.dir })).problems).toEqual([]);
  });

  it.each([
    ['deleteMany', 'delete', () => rows.deleteMany({ text: /row/ })],
    ['updateMany', 'update', () => rows.updateMany({ text: /row/ }, { $set: { state: 'half' } })],
  ] as const)('changes nothing when it is killed on its way: %s', async (_name, command, start) => {
    const killed = failureOf(start());
    await engine.client.db('admin').command({ killOp: 1, op: await underWay(command) });
    expect(await killed).toMatchObject({ code: 11601 });
    await untilNothingRuns();
    expect([await rows.countDocuments(), await rows.countDocuments({ state: 'half' })]).toEqual([WRITTEN, 0]);
  });

  it('changes nothing when its client disconnects', async () => {
    const client = await openWire(engine.uri);
    client.write(
      commandBytes({
        delete: 'rows',
        deletes: [{ q: { text: { $regex: 'row' } }, limit: 0 }],
        $db: rows.dbName,
      }),
    );
    await underWay('delete');
    client.socket.destroy();
    await untilNothingRuns();
    expect(await rows.countDocuments()).toBe(WRITTEN);
  });
});

describe('a write of many documents, while others write', () => {
  // Nobody has to catch it at work, so that fewer are enough.
  const count = sized(8000, 20_000);
  let rows: Collection<Row>;

  beforeEach(async () => {
    rows = engine.db().collection<Row>('rows');
    await rows.createIndex({ group: 1 });
    await fill(rows, count);
  });

  it('leaves alone documents that others have changed in the meantime', async () => {
    await rows.updateMany({}, { $set: { state: 'old' } });
    const removal = rows.deleteMany({ state: 'old', text: /row/ });
    let isDone = false;
    const settled = removal.finally(() => {
      isDone = true;
    });
    const saved: number[] = [];
    for (let n = 0; n < count && !isDone; n += 97) {
      const { modifiedCount } = await rows.updateOne(
        { _id: count - 1 - n, state: 'old' },
        { $set: { state: 'new' } },
      );
      if (modifiedCount === 1) saved.push(count - 1 - n);
    }
    await settled;
    const left = await rows.find().toArray();
    expect(left.map(({ _id }) => _id).sort((a, b) => a - b)).toEqual(saved.sort((a, b) => a - b));
    expect((await removal).deletedCount).toBe(count - saved.length);
  });

  it('keeps unique keys unique when others insert them meanwhile', async () => {
    await rows.createIndex({ text: 1, state: 1 }, { unique: true });
    const change = failureOf(rows.updateMany({ _id: { $lt: 2 }, text: /row/ }, { $set: { text: 'taken' } }));
    expect(await change).toMatchObject({ code: 11000 });
    await rows.createIndex({ state: 1, text: 1 }, { unique: true });
    const long = rows.updateMany({ text: /row/ }, { $set: { state: 'seated' } });
    const taken = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        rows.insertOne({ _id: -n - 1, text: `row ${n * 7919}`, group: 0, state: 'seated' }),
      ),
    );
    const won = taken.filter(({ status }) => status === 'fulfilled').length;
    const outcome = await long.then(
      () => 'changed',
      () => 'refused',
    );
    expect(outcome).toBe(won > 0 ? 'refused' : 'changed');
    expect((await verifyStore({ dir: engine.dir })).problems).toEqual([]);
  });
});

it('a write of many documents is written in order when it is part of a batch', async () => {
  // Nothing else runs, so that a few are enough.
  const count = 2000;
  const rows = engine.db().collection<Row>('rows');
  await rows.createIndex({ group: 1 });
  await fill(rows, count);
  const result = await rows.bulkWrite([
    { insertOne: { document: { _id: -1, text: 'row first', group: 0 } } },
    { updateMany: { filter: { text: /row/ }, update: { $set: { state: 'a' } } } },
    { deleteMany: { filter: { state: 'a', group: { $gt: 10 } } } },
    { updateOne: { filter: { _id: -1, state: 'a' }, update: { $set: { state: 'b' } } } },
  ]);
  const kept = await rows.countDocuments();
  expect(result.deletedCount + kept).toBe(count + 1);
  expect(await rows.findOne({ _id: -1 })).toMatchObject({ state: 'b' });
  expect(await rows.countDocuments({ state: 'a' })).toBe(kept - 1);
});
