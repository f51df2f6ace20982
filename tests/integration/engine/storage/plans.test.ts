import { atOnce } from '#models/engine/budget.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { IndexSpec, PlanSummary, Query } from '#models/engine/storage/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.doses';

beforeEach(async () => {
  const docs = Array.from({ length: 200 }, (_, i): Document => ({
    _id: i,
    userId: `u${i % 4}`,
    status: ['open', 'taken', 'missed'][i % 3],
    due: i,
    note: i % 2 === 0 ? 'x' : null,
  }));
  await insertAll(held.store, NS, docs);
});

const create = (...specs: IndexSpec[]) => held.store.write((txn) => txn.createIndexes(NS, specs));
interface Explained extends PlanSummary {
  stages: unknown[];
  indexName: unknown;
}

/** The plan, with its stages from the outermost in and the index that is walked. */
function explain(query: Query, isCount = false): Explained {
  const plan = held.store.read((view) => atOnce(view.explain(NS, query, isCount)));
  const outer = plan.winningPlan;
  const inner = (outer['inputStage'] ?? outer) as Document;
  const stages = (inner === outer ? [outer] : [outer, inner]).map(({ stage }) => stage);
  return { ...plan, stages, indexName: inner['indexName'] };
}

describe('the planner', () => {
  it('reads everything without an index, and says so', () => {
    const plan = explain({ filter: { userId: 'u1' } });
    expect(plan).toMatchObject({
      stages: ['COLLSCAN'],
      docsExamined: 200,
      keysExamined: 0,
      nReturned: 50,
    });
  });

  it('answers a point of _id from one entry', () => {
    const plan = explain({ filter: { _id: 7 } });
    expect(plan).toMatchObject({ indexName: '_id_', keysExamined: 1, docsExamined: 1, nReturned: 1 });
  });

  it('looks up a list of ids one by one, however many rows their owner has', async () => {
    await create({ key: { userId: 1, due: -1 } }, { key: { status: 1, due: 1 }, unique: true });
    const plan = explain({ filter: { userId: 'u1', _id: { $in: [1, 5, 6, 999] } } });
    expect(plan).toMatchObject({ indexName: '_id_', docsExamined: 3, nReturned: 2 });
    const sorted = {
      filter: { userId: 'u1', _id: { $in: [1, 5, 9] } },
      sort: { due: -1 as const },
      limit: 2,
    };
    expect(explain(sorted)).toMatchObject({ indexName: '_id_', docsExamined: 3, nReturned: 2 });
    expect(findAll(held.store, NS, sorted).map(({ _id }) => _id)).toEqual([9, 5]);
    const pairs = { userId: 'u1', status: 'taken', due: { $in: [1, 2, 13] } };
    expect(explain({ filter: pairs })).toMatchObject({ indexName: 'status_1_due_1', docsExamined: 2 });
  });

  it('uses equality, then the order, and stops at the limit', async () => {
    await create({ key: { userId: 1, due: -1 } }, { key: { userId: 1, status: 1 } });
    const plan = explain({ filter: { userId: 'u1' }, sort: { due: -1 }, limit: 5 });
    expect(plan).toMatchObject({
      indexName: 'userId_1_due_-1',
      keysExamined: 5,
      docsExamined: 5,
      nReturned: 5,
    });
    expect(plan.stages).toEqual(['IXSCAN']);
  });

  it('walks an index backwards for the opposite order', async () => {
    await create({ key: { userId: 1, due: -1 } });
    const query = { filter: { userId: 'u1' }, sort: { due: 1 as const }, limit: 2 };
    expect(JSON.stringify(explain(query).winningPlan)).toContain('"direction":"backward"');
    expect(findAll(held.store, NS, query).map((doc) => doc['due'])).toEqual([1, 5]);
  });

  it('narrows by equality and range', async () => {
    await create({ key: { userId: 1, due: 1 } });
    const plan = explain({ filter: { userId: 'u1', due: { $gte: 100, $lt: 120 } } });
    expect(plan).toMatchObject({ keysExamined: 5, docsExamined: 5, nReturned: 5 });
  });

  it('merges the points of $in into the requested order', async () => {
    await create({ key: { userId: 1, status: 1, due: -1 } });
    const query = {
      filter: { userId: 'u1', status: { $in: ['open', 'missed'] } },
      sort: { due: -1 as const },
      limit: 4,
    };
    const plan = explain(query);
    expect(plan.stages).toEqual(['SORT_MERGE']);
    expect(plan.docsExamined).toBe(4);
    const found = findAll(held.store, NS, query).map((doc) => doc['due'] as number);
    expect(found).toEqual([...found].sort((a, b) => b - a));
    expect(found[0]).toBe(197);
  });

  it('sorts in memory if no index provides the order, keeping only what is needed', async () => {
    await create({ key: { userId: 1 } });
    const plan = explain({ filter: { userId: 'u1' }, sort: { note: 1, due: -1 }, limit: 3 });
    expect(plan.stages).toEqual(['SORT', 'IXSCAN']);
    expect(
      findAll(held.store, NS, { sort: { note: 1, due: -1 }, limit: 2 }).map((doc) => doc['due']),
    ).toEqual([199, 197]);
  });

  it('counts from the index alone when the filter is no more than its bounds', async () => {
    await create({ key: { userId: 1, due: 1 } });
    const plan = explain({ filter: { userId: 'u2', due: { $gt: 50 } } }, true);
    expect(plan).toMatchObject({
      indexName: 'userId_1_due_1',
      docsExamined: 0,
      nReturned: 37,
    });
    const checked = explain({ filter: { userId: 'u2', due: { $gt: 50 }, note: 'x' } }, true);
    expect(checked).toMatchObject({ indexName: 'userId_1_due_1', docsExamined: 37 });
  });

  it('skips entries without reading documents if the index is sufficient', async () => {
    await create({ key: { userId: 1, due: -1 } });
    const plan = explain({ filter: { userId: 'u1' }, sort: { due: -1 }, skip: 30, limit: 5 });
    expect(plan.docsExamined).toBe(5);
    expect(
      findAll(held.store, NS, { filter: { userId: 'u1' }, sort: { due: -1 }, skip: 48 }).map((d) => d['due']),
    ).toEqual([5, 1]);
  });

  it('returns nothing without reading when nothing can match', async () => {
    await create({ key: { due: 1 } });
    expect(explain({ filter: { due: { $in: [] } } })).toMatchObject({ stages: ['EOF'], docsExamined: 0 });
    expect(explain({ filter: { due: { $gt: 5, $lt: 5 } } })).toMatchObject({
      stages: ['EOF'],
      nReturned: 0,
    });
  });

  it('obeys a hint by name, by key, or to read everything', async () => {
    await create({ key: { due: 1 } }, { key: { userId: 1 } });
    expect(explain({ filter: { userId: 'u1' }, hint: 'due_1' }).indexName).toBe('due_1');
    expect(explain({ filter: { due: 3 }, hint: { userId: 1 } }).indexName).toBe('userId_1');
    expect(explain({ filter: { due: 3 }, hint: { $natural: 1 } }).stages).toEqual(['COLLSCAN']);
    expect(findAll(held.store, NS, { filter: { due: 3 }, hint: { userId: 1 } })).toHaveLength(1);
  });

  it('refuses a hint for a missing index', async () => {
    const ask = async (hint: string | Document) => findAll(held.store, NS, { hint });
    expect((await rejection(ask('none'))).code).toBe(2);
    expect((await rejection(ask({ none: 1 }))).code).toBe(2);
  });

  it('says EOF for a collection that does not exist', () => {
    expect(held.store.read((view) => atOnce(view.explain('app.none', {}))).winningPlan).toEqual({
      stage: 'EOF',
    });
  });
});

describe('sorting without an index', () => {
  it('is refused beyond 100 MB of keys', async () => {
    const text = 'k'.repeat(600_000);
    await insertAll(
      held.store,
      'app.big',
      Array.from({ length: 100 }, (_, i) => ({ _id: i, text: `${text}${i}` })),
    );
    const error = await rejection((async () => findAll(held.store, 'app.big', { sort: { text: 1 } }))());
    expect(error.code).toBe(292);
    expect(findAll(held.store, 'app.big', { sort: { text: 1 }, limit: 1 })[0]?.['_id']).toBe(0);
  });
});
