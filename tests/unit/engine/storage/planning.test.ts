import { describe, expect, it } from 'vitest';
import { makeIndex, type StoredCollection, type StoredIndex } from '#models/engine/storage/catalog/record.ts';
import { choosePlan } from '#models/engine/storage/plan/choose.ts';
import type { IndexPlan, Plan, Request } from '#models/engine/storage/plan/plan.ts';
import type { IndexSpec } from '#models/engine/storage/index.ts';
import type { Document } from '#models/engine/values/types.ts';

function index(spec: Omit<IndexSpec, 'name'>, traits: Partial<StoredIndex> = {}): StoredIndex {
  const name = Object.entries(spec.key)
    .map(([path, direction]) => `${path}_${String(direction)}`)
    .join('_');
  return { ...makeIndex(7, { ...spec, name }), ...traits };
}

function plan(indexes: StoredIndex[], query: Partial<Request>): Plan {
  const coll: StoredCollection = {
    ns: 'a.x',
    db: 'a',
    name: 'x',
    collId: 1,
    uuid: new Uint8Array(16),
    options: {},
    indexes,
  };
  return choosePlan({
    coll,
    filter: {},
    sort: null,
    natural: null,
    hint: null,
    limit: 0,
    ...query,
  });
}

const chosen = (indexes: StoredIndex[], query: Partial<Request>): string => {
  const found = plan(indexes, query);
  return found.kind === 'index' ? found.index.name : found.kind;
};
const asIndex = (found: Plan): IndexPlan => {
  if (found.kind !== 'index') throw new Error(`a plan of kind ${found.kind}`);
  return found;
};

describe('the choice of an index', () => {
  const a = index({ key: { a: 1 } });
  const b = index({ key: { b: 1 } });
  const ab = index({ key: { a: 1, b: -1 } });
  const unique = index({ key: { c: 1 }, unique: true });

  it.each<[string, StoredIndex[], Partial<Request>, string]>([
    ['none without a use for one', [a, b], { filter: { z: 1 } }, 'collection'],
    ['the one with more equal fields', [a, ab], { filter: { a: 1, b: 2 } }, 'a_1_b_-1'],
    ['the first of equals', [a, b], { filter: { a: 1, b: 2 } }, 'a_1'],
    ['equality before range', [b, a], { filter: { a: 1, b: { $gt: 1 } } }, 'a_1'],
    ['a unique one that is given whole', [ab, unique], { filter: { a: 1, b: 2, c: 3 } }, 'c_1'],
    ['the one that gives the order, too', [a, ab], { filter: { a: 1 }, sort: { b: 1 } }, 'a_1_b_-1'],
    ['equality before order alone', [b, a], { filter: { a: 1 }, sort: { b: 1 } }, 'a_1'],
    ['order alone rather than nothing', [a, b], { filter: { z: 1 }, sort: { b: 1 } }, 'b_1'],
    ['none for a negation', [a], { filter: { a: { $ne: 1 } } }, 'collection'],
    ['nothing for the impossible', [a], { filter: { a: { $in: [] } } }, 'empty'],
  ])('%s', (_what, indexes, query, name) => {
    expect(chosen(indexes, query)).toBe(name);
  });
});

describe('an order provided by an index', () => {
  const abc = index({ key: { a: 1, b: -1, c: 1 } });

  it.each<[string, Document, Document, boolean, boolean]>([
    ['in its own direction', {}, { a: 1, b: -1, c: 1 }, true, false],
    ['backwards', {}, { a: -1, b: 1 }, true, true],
    ['not with mixed directions', {}, { a: 1, b: 1 }, false, false],
    ['not with a gap', {}, { a: 1, c: 1 }, false, false],
    ['over a gap that is one value', { b: 5 }, { a: 1, c: 1 }, true, false],
    ['after equal fields', { a: 1 }, { b: -1, c: 1 }, true, false],
    ['with fields of one value named needlessly', { a: 1 }, { a: -1, b: -1 }, true, false],
    ['not after a range', { a: { $gt: 1 } }, { b: -1 }, false, false],
    ['along a range', { a: { $gt: 1 } }, { a: 1 }, true, false],
    ['by merging points', { a: { $in: [1, 2] } }, { b: -1 }, true, false],
  ])('%s', (_what, filter, sort, sorted, reverse) => {
    const found = plan([abc], { filter, sort, limit: 1 });
    if (!sorted) return expect(found.sorted).toBe(false);
    expect(asIndex(found)).toMatchObject({ sorted: true, reverse });
  });

  it('is not merged from more than 200 stretches', () => {
    const points = (count: number) => ({ a: { $in: Array.from({ length: count }, (_, i) => i) } });
    expect(asIndex(plan([abc], { filter: points(200), sort: { b: -1 } }))).toMatchObject({
      merge: true,
      sorted: true,
    });
    expect(asIndex(plan([abc], { filter: points(201), sort: { b: -1 } }))).toMatchObject({
      merge: false,
      sorted: false,
    });
  });
});

describe('how an index narrows a search', () => {
  it('to one range per combination of points', () => {
    const ab = index({ key: { a: 1, b: 1 } });
    const found = asIndex(plan([ab], { filter: { a: { $in: [1, 2] }, b: { $in: [5, 6, 7] } } }));
    expect(found.ranges).toHaveLength(6);
    expect(found.exact).toBe(true);
  });

  it('not to a million ranges: further fields are left to the filter', () => {
    const ab = index({ key: { a: 1, b: 1 } });
    const many = { $in: Array.from({ length: 1000 }, (_, i) => i) };
    const found = asIndex(plan([ab], { filter: { a: many, b: many } }));
    expect(found.ranges).toHaveLength(1000);
    expect(found.exact).toBe(false);
  });
});
