import { describe, expect, it } from 'vitest';
import { compileFilter, runPipeline } from '#models/engine/query/index.ts';
import { Double, Long, type Document } from '#models/engine/values/types.ts';
import { NOW, aggregated, failure } from '../support.ts';

const OTHERS: Record<string, Document[]> = {
  things: [
    { _id: 1, sku: 'a', n: 5 },
    { _id: 2, sku: 'b', n: 3 },
    { _id: 3, sku: ['a', 'c'], n: 1 },
    { _id: 4, n: 0 },
    { _id: 5, sku: null, n: 9 },
  ],
  people: [
    { _id: 'ann', boss: null },
    { _id: 'bob', boss: 'ann' },
    { _id: 'cid', boss: 'bob' },
    { _id: 'dan', boss: 'cid', friends: ['ann', 'eve'] },
    { _id: 'eve', boss: 'eve' },
  ],
};

/** The ids found for one document. */
function found(doc: Document, spec: Document): unknown[] {
  const [result] = aggregated([{ $lookup: { from: 'things', as: 'r', ...spec } }], [doc], OTHERS);
  return (result?.['r'] as Document[]).map((other) => other['_id']);
}

describe('$lookup by fields', () => {
  const byField = { localField: 'x', foreignField: 'sku' };

  it.each<[Document, unknown[]]>([
    [{ x: 'a' }, [1, 3]],
    [{ x: 'z' }, []],
    [{ x: ['a', 'b'] }, [1, 2, 3]],
    [{ x: null }, [4, 5]],
    [{}, [4, 5]],
    [{ x: [] }, [4, 5]],
    [{ x: /a/ }, []],
  ])('%o', (doc, expected) => {
    expect(found(doc, byField)).toEqual(expected);
  });

  it('compares numbers by value, and follows paths through arrays', () => {
    expect(found({ x: new Double(3) }, { localField: 'x', foreignField: 'n' })).toEqual([2]);
    expect(found({ x: [{ y: 'a' }, { y: 'b' }] }, { localField: 'x.y', foreignField: 'sku' })).toEqual([
      1, 2, 3,
    ]);
    expect(found({ x: [['b']] }, { localField: 'x.0', foreignField: 'sku' })).toEqual([2]);
    expect(found({ x: 5 }, { localField: 'x.y', foreignField: 'sku' })).toEqual([4, 5]);
  });

  it('puts the result where it is told to', () => {
    const spec = { from: 'things', localField: 'x', foreignField: 'n', as: 'o.r' };
    expect(aggregated([{ $lookup: spec }], [{ _id: 1, x: 3, o: { k: 1 } }], OTHERS)).toEqual([
      { _id: 1, x: 3, o: { k: 1, r: [{ _id: 2, sku: 'b', n: 3 }] } },
    ]);
    expect(aggregated([{ $lookup: spec }], [{ _id: 1, x: 99, o: 5 }], OTHERS)).toEqual([
      { _id: 1, x: 99, o: { r: [] } },
    ]);
  });

  it('finds nothing in a collection that does not exist', () => {
    expect(found({ x: 'a' }, { ...byField, from: 'nowhere' })).toEqual([]);
  });
});

describe('$lookup with a pipeline', () => {
  it('runs it once for each document, with its variables', () => {
    const pipeline = [
      { $match: { $expr: { $gt: ['$n', '$$least'] } } },
      { $sort: { n: -1 } },
      { $project: { _id: 1 } },
    ];
    expect(found({ x: 2 }, { let: { least: '$x' }, pipeline })).toEqual([5, 1, 2]);
    expect(found({ x: 100 }, { let: { least: '$x' }, pipeline })).toEqual([]);
  });

  it('knows the variables in every stage, and those around it', () => {
    const pipeline = [
      { $match: { $expr: { $eq: ['$sku', '$$s'] } } },
      { $set: { got: '$$s', sum: { $let: { vars: { y: '$n' }, in: { $add: ['$$y', '$$k'] } } } } },
      { $group: { _id: '$$s', total: { $sum: '$sum' } } },
    ];
    const spec = { from: 'things', let: { s: '$x', k: 100 }, pipeline, as: 'r' };
    expect(aggregated([{ $lookup: spec }], [{ x: 'b' }], OTHERS)[0]?.['r']).toEqual([
      { _id: 'b', total: 103 },
    ]);
    expect(
      aggregated([{ $lookup: { ...spec, let: { s: '$$given', k: 0 } } }], [{}], OTHERS, {
        variables: { given: 'a' },
      })[0]?.['r'],
    ).toEqual([{ _id: 'a', total: 5 }]);
  });

  it('can be nested', () => {
    const inner = {
      from: 'things',
      let: { s: '$sku' },
      pipeline: [
        { $match: { $expr: { $and: [{ $eq: ['$sku', '$$s'] }, { $eq: ['$$x', 'go'] }] } } },
        { $count: 'n' },
      ],
      as: 'same',
    };
    const spec = {
      from: 'things',
      let: { x: '$x' },
      pipeline: [{ $match: { _id: 2 } }, { $lookup: inner }],
      as: 'r',
    };
    expect(aggregated([{ $lookup: spec }], [{ x: 'go' }], OTHERS)[0]?.['r']).toEqual([
      { _id: 2, sku: 'b', n: 3, same: [{ n: 1 }] },
    ]);
    expect(aggregated([{ $lookup: spec }], [{ x: 'no' }], OTHERS)[0]?.['r']).toEqual([
      { _id: 2, sku: 'b', n: 3, same: [] },
    ]);
  });

  it('joins by fields before it', () => {
    expect(
      found({ x: 'a' }, { localField: 'x', foreignField: 'sku', pipeline: [{ $match: { n: { $gt: 1 } } }] }),
    ).toEqual([1]);
    expect(found({ x: 'a' }, { localField: 'x', foreignField: 'sku', pipeline: [] })).toEqual([1, 3]);
  });

  it('asks for no more than an index can give, and never for less than matches', () => {
    const asked: Document[] = [];
    const pipeline = [
      { $match: { n: { $gte: 0 }, $expr: { $and: [{ $eq: ['$sku', '$$s'] }, { $lt: ['$n', 100] }] } } },
    ];
    const find = (name: string, filter: Document): Document[] => {
      asked.push(filter);
      return (OTHERS[name] ?? []).filter(compileFilter(filter));
    };
    const stages = [{ $lookup: { from: 'things', let: { s: '$x' }, pipeline, as: 'r' } }];
    const [doc] = runPipeline(stages, [{ x: 'a' }], { now: NOW, find });
    expect(asked).toEqual([{ $and: [{ sku: { $eq: 'a' } }, { n: { $gte: 0 } }] }]);
    expect((doc?.['r'] as Document[]).map((d) => d['_id'])).toEqual([1]);
    const [missing] = runPipeline(stages, [{}], { now: NOW, find });
    expect((missing?.['r'] as Document[]).map((d) => d['_id'])).toEqual([4]);
  });

  it.each<[Document, number]>([
    [{ $lookup: 5 }, 9],
    [{ $lookup: { from: 'x', as: 'r' } }, 9],
    [{ $lookup: { localField: 'a', foreignField: 'b', as: 'r' } }, 9],
    [{ $lookup: { from: 'x', localField: 'a', foreignField: 'b' } }, 9],
    [{ $lookup: { from: 'x', localField: 'a', as: 'r' } }, 9],
    [{ $lookup: { from: 'x', localField: 5, foreignField: 'b', as: 'r' } }, 9],
    [{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'r', y: 1 } }, 9],
    [{ $lookup: { from: 'x', let: 5, pipeline: [], as: 'r' } }, 9],
    [{ $lookup: { from: 'x', let: { a: 1 }, localField: 'a', foreignField: 'b', as: 'r' } }, 9],
    [{ $lookup: { from: { db: 'd', coll: 'c' }, localField: 'a', foreignField: 'b', as: 'r' } }, 115],
    [{ $lookup: { from: 'x', localField: '$a', foreignField: 'b', as: 'r' } }, 16410],
    [{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: '$r' } }, 16410],
    [{ $lookup: { from: 'x', pipeline: 5, as: 'r' } }, 14],
    [{ $lookup: { from: 'x', pipeline: [{ $out: 'y' }], as: 'r' } }, 115],
    [{ $lookup: { from: 'x', let: { A: 1 }, pipeline: [], as: 'r' } }, 16867],
    [{ $lookup: { from: 'x', pipeline: [{ $match: { $expr: '$$nope' } }], as: 'r' } }, 17276],
  ])('refuses %o', (stage, code) => {
    expect(failure(() => aggregated([stage], [{}], OTHERS)).code).toBe(code);
  });

  it('refuses pipelines nested beyond reason', () => {
    let stage: Document = { $match: {} };
    for (let i = 0; i < 25; i++) stage = { $lookup: { from: 'things', pipeline: [stage], as: 'r' } };
    expect(failure(() => aggregated([stage], [{}], OTHERS)).code).toBe(2);
  });
});

describe('$unionWith', () => {
  it('adds the documents of another collection', () => {
    expect(aggregated([{ $unionWith: 'things' }, { $count: 'n' }], [{}, {}], OTHERS)).toEqual([{ n: 7 }]);
    const spec = { coll: 'things', pipeline: [{ $match: { n: { $gt: 4 } } }, { $project: { _id: 1 } }] };
    expect(aggregated([{ $unionWith: spec }], [{ _id: 0 }], OTHERS)).toEqual([
      { _id: 0 },
      { _id: 1 },
      { _id: 5 },
    ]);
    expect(aggregated([{ $unionWith: { pipeline: [{ $documents: [{ a: 1 }] }] } }], [{ _id: 0 }])).toEqual([
      { _id: 0 },
      { a: 1 },
    ]);
  });

  it.each<[unknown, number]>([
    [5, 9],
    [{}, 9],
    [{ coll: 5 }, 14],
    [{ coll: 'x', pipeline: 5 }, 14],
  ])('refuses %o', (spec, code) => {
    expect(failure(() => aggregated([{ $unionWith: spec }], [], OTHERS)).code).toBe(code);
  });
});

describe('$graphLookup', () => {
  const spec = {
    from: 'people',
    startWith: '$boss',
    connectFromField: 'boss',
    connectToField: '_id',
    as: 'chain',
  };
  const chain = (more: Document, doc: Document): Document[] =>
    aggregated([{ $graphLookup: { ...spec, ...more } }], [doc], OTHERS)[0]?.['chain'] as Document[];
  const names = (docs: Document[]): unknown[] => docs.map((doc) => doc['_id']).sort();

  it('follows a field as far as it leads', () => {
    expect(names(chain({}, { boss: 'cid' }))).toEqual(['ann', 'bob', 'cid']);
    expect(names(chain({}, { boss: ['ann', 'dan'] }))).toEqual(['ann', 'bob', 'cid', 'dan']);
    expect(names(chain({}, { boss: 'nobody' }))).toEqual([]);
  });

  it('does not run in circles', () => {
    expect(names(chain({}, { boss: 'eve' }))).toEqual(['eve']);
    expect(names(chain({ connectFromField: 'friends' }, { boss: 'dan' }))).toEqual(['ann', 'dan', 'eve']);
  });

  it('stops at a depth, and tells it', () => {
    expect(names(chain({ maxDepth: 1 }, { boss: 'cid' }))).toEqual(['bob', 'cid']);
    expect(chain({ maxDepth: 0, depthField: 'd' }, { boss: 'cid' })).toEqual([
      { _id: 'cid', boss: 'bob', d: Long.fromNumber(0) },
    ]);
    expect(names(chain({ restrictSearchWithMatch: { _id: { $ne: 'bob' } } }, { boss: 'cid' }))).toEqual([
      'cid',
    ]);
  });

  it.each<[unknown, number]>([
    [5, 9],
    [{ ...spec, from: 5 }, 40103],
    [{ ...spec, x: 1 }, 40104],
    [{ from: 'people' }, 40105],
    [{ ...spec, startWith: undefined, as: undefined }, 40105],
    [{ ...spec, maxDepth: -1 }, 40101],
    [{ ...spec, maxDepth: 'x' }, 40102],
    [{ ...spec, restrictSearchWithMatch: 5 }, 40185],
  ])('refuses %o', (given, code) => {
    expect(failure(() => aggregated([{ $graphLookup: given }], [{}], OTHERS)).code).toBe(code);
  });
});
