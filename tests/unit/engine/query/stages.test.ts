import { describe, expect, it } from 'vitest';
import { unpaused } from '#models/engine/budget.ts';
import { compilePipeline } from '#models/engine/query/index.ts';
import { Double, Long, type Document } from '#models/engine/values/types.ts';
import { aggregated, failure } from './support.ts';

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
    const stages = [{ $match: { _id: { $gte: 5 } } }, { $limit: 3 }];
    expect(ids([...unpaused(compilePipeline(stages)(endless()))])).toEqual([5, 6, 7]);
    expect(read).toBe(8);
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
    [{ $project: { a: 1 } }, 40324, /embedded database/],
  ]);
});
