import { describe, expect, it } from 'vitest';
import { runPipeline } from '#models/engine/query/index.ts';
import { Double, Long, type Document } from '#models/engine/values/types.ts';
import { aggregated, bytes, failure, keysOf } from './support.ts';

const DOCS: Document[] = [
  { _id: 1, k: 'a', v: 5, o: { x: 1 } },
  { _id: 2, k: 'b', v: 3, o: { x: 2 } },
  { _id: 3, k: 'a', v: 4 },
];
const ids = (docs: Document[]): unknown[] => docs.map((doc) => doc['_id']);

function refuses(list: [stage: Document, code: number, message?: string | RegExp][]): void {
  it.each(list)('refuses %o with %i', (stage, code, message) => {
    const found = failure(() => aggregated([stage], DOCS));
    expect(found.code).toBe(code);
    if (message instanceof RegExp) expect(found.message).toMatch(message);
    else if (message !== undefined) expect(found.message).toBe(message);
  });
}

describe('stages that choose documents', () => {
  it.each<[Document[], unknown[]]>([
    [[], [1, 2, 3]],
    [[{ $match: { k: 'a' } }], [1, 3]],
    [[{ $limit: 2 }], [1, 2]],
    [[{ $limit: Long.fromNumber(1) }], [1]],
    [[{ $limit: new Double(1) }], [1]],
    [[{ $skip: 1 }], [2, 3]],
    [[{ $skip: 0 }], [1, 2, 3]],
    [[{ $skip: 9 }], []],
    [[{ $sort: { v: 1 } }], [2, 3, 1]],
    [[{ $sort: { k: 1, v: -1 } }], [1, 3, 2]],
    [[{ $sort: { v: 1 } }, { $skip: 1 }, { $limit: 1 }], [3]],
    [[{ $sort: { v: 1 } }, { $limit: 2 }, { $skip: 1 }], [3]],
    [[{ $sort: { v: 1 } }, { $match: { k: 'a' } }, { $limit: 1 }], [3]],
  ])('%o', (stages, expected) => {
    expect(ids(aggregated(stages, DOCS))).toEqual(expected);
  });

  it('read no further than they need', () => {
    let read = 0;
    const endless = function* (): Generator<Document> {
      for (;;) yield { _id: read++ };
    };
    const stages = [{ $match: { _id: { $gte: 5 } } }, { $project: { x: '$_id' } }, { $limit: 3 }];
    expect(ids([...runPipeline(stages, endless())])).toEqual([5, 6, 7]);
    expect(read).toBe(8);
  });

  it('$count counts, and says nothing of nothing', () => {
    expect(aggregated([{ $count: 'n' }], DOCS)).toEqual([{ n: 3 }]);
    expect(aggregated([{ $count: 'n' }], [])).toEqual([]);
  });

  refuses([
    [{ $match: 5 }, 15959],
    [{ $match: { a: { $nope: 1 } } }, 2],
    [{ $limit: 'x' }, 15957],
    [{ $limit: 1.5 }, 15957],
    [{ $limit: 0 }, 15958, 'the limit must be positive'],
    [{ $skip: 'x' }, 15972],
    [{ $skip: -1 }, 5107200],
    [{ $sort: 5 }, 15973],
    [{ $sort: {} }, 15976],
    [{ $sort: { a: 2 } }, 15975],
    [{ $count: '' }, 40156],
    [{ $count: 5 }, 40156],
    [{ $count: '$a' }, 40158],
    [{ $count: 'a\0' }, 40159],
    [{ $count: 'a.b' }, 40160],
  ]);
});

describe('stages that change documents', () => {
  const [first] = DOCS as [Document];

  it.each<[Document[], Document]>([
    [[{ $project: { v: 1 } }], { _id: 1, v: 5 }],
    [[{ $project: { v: 1, _id: 0 } }], { v: 5 }],
    [[{ $project: { v: 0, o: 0 } }], { _id: 1, k: 'a' }],
    [[{ $project: { 'o.x': 1, w: { $multiply: ['$v', 2] } } }], { _id: 1, o: { x: 1 }, w: 10 }],
    [[{ $project: { _id: '$k' } }], { _id: 'a' }],
    [[{ $project: { a: ['$v', '$none'] } }], { _id: 1, a: [5, null] }],
  ])('%o', (stages, expected) => {
    const before = bytes(first);
    expect(aggregated(stages, [first])).toEqual([expected]);
    expect(bytes(first)).toBe(before);
  });

  it('remove fields of dangerous names like others', () => {
    const doc = JSON.parse('{"_id": 1, "__proto__": {"x": 1}, "a": 1}') as Document;
    expect(keysOf(aggregated([{ $project: { ['__proto__']: 0 } }], [doc])[0] as Document)).toEqual([
      '_id',
      'a',
    ]);
  });

  it('keep the order of fields', () => {
    expect(keysOf(aggregated([{ $project: { z: '$v', o: 1, k: 1 } }], [first])[0] as Document)).toEqual([
      '_id',
      'k',
      'o',
      'z',
    ]);
  });

  refuses([
    [{ $project: 5 }, 15969],
    [{ $project: {} }, 51272],
    [
      { $project: { a: 1, b: 0 } },
      31254,
      'Invalid $project :: caused by :: Cannot do exclusion on field b in inclusion projection',
    ],
    [{ $project: { a: { $slice: 1 } } }, 168],
    [{ $project: { a: { $elemMatch: {} } } }, 168],
  ]);
});

describe('$unwind', () => {
  const docs: Document[] = [
    { _id: 1, a: [1, 2] },
    { _id: 2, a: [] },
    { _id: 3, a: null },
    { _id: 4 },
    { _id: 5, a: 'x' },
    { _id: 6, o: { a: [{ b: 7 }] } },
  ];

  it.each<[unknown, Document[]]>([
    [
      '$a',
      [
        { _id: 1, a: 1 },
        { _id: 1, a: 2 },
        { _id: 5, a: 'x' },
      ],
    ],
    [{ path: '$o.a' }, [{ _id: 6, o: { a: { b: 7 } } }]],
    [
      { path: '$a', preserveNullAndEmptyArrays: true },
      [
        { _id: 1, a: 1 },
        { _id: 1, a: 2 },
        { _id: 2 },
        { _id: 3, a: null },
        { _id: 4 },
        { _id: 5, a: 'x' },
        { _id: 6, o: { a: [{ b: 7 }] } },
      ],
    ],
  ])('%o', (spec, expected) => {
    expect(aggregated([{ $unwind: spec }], docs)).toEqual(expected);
  });

  refuses([
    [{ $unwind: 5 }, 15981],
    [{ $unwind: 'a' }, 28818],
    [{ $unwind: {} }, 28812],
    [{ $unwind: { path: 5 } }, 28808],
    [{ $unwind: { path: '$a', x: 1 } }, 28811],
    [{ $unwind: { path: '$a', preserveNullAndEmptyArrays: 1 } }, 28809],
    [{ $unwind: '$a..b' }, 15998],
  ]);
});
