import { describe, expect, it } from 'vitest';
import { compilePipeline, leadingQuery, validatePipeline } from '#models/engine/query/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { NOW, aggregated, failure } from '../support.ts';

const DOCS: Document[] = [
  { _id: 1, k: 'a', v: 5, o: { x: 1 } },
  { _id: 2, k: 'b', v: 3, o: { x: 2 } },
  { _id: 3, k: 'a', v: 4 },
];

function refuses(list: [stage: Document, code: number, message?: string | RegExp][]): void {
  it.each(list)('refuses %o with %i', (stage, code, message) => {
    const found = failure(() => aggregated([stage], DOCS));
    expect(found.code).toBe(code);
    if (message instanceof RegExp) expect(found.message).toMatch(message);
    else if (message !== undefined) expect(found.message).toBe(message);
  });
}

describe('pipelines', () => {
  it.each<[Document[], number, string]>([
    [[{ $nope: 1 }], 40324, "Unrecognized pipeline stage name: '$nope'"],
    [[{}], 40323, 'A pipeline stage specification object must contain exactly one field.'],
    [
      [{ $match: {}, $limit: 1 }],
      40323,
      'A pipeline stage specification object must contain exactly one field.',
    ],
    [[5 as unknown as Document], 14, "Each element of the 'pipeline' array must be an object"],
    [[{ $out: 'x' }], 115, '$out is not supported by the embedded engine'],
    [[{ $merge: {} }], 115, '$merge is not supported by the embedded engine'],
    [[{ $setWindowFields: {} }], 115, '$setWindowFields is not supported by the embedded engine'],
    [[{ $geoNear: {} }], 115, '$geoNear is not supported by the embedded engine'],
    [[{ $redact: '$$KEEP' }], 115, '$redact is not supported by the embedded engine'],
  ])('refuse %o', (stages, code, message) => {
    expect(failure(() => validatePipeline(stages))).toEqual({ code, message });
  });

  it('are checked without reading anything', () => {
    expect(() =>
      validatePipeline([{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'c' } }]),
    ).not.toThrow();
    expect(() => validatePipeline([{ $set: { a: '$$x' } }], { x: 1 })).not.toThrow();
    expect(failure(() => validatePipeline([{ $set: { a: '$$x' } }])).code).toBe(17276);
  });

  it('can be run again', () => {
    const run = compilePipeline([{ $group: { _id: null, n: { $sum: 1 } } }], { now: NOW, find: () => [] });
    expect([...run(DOCS)]).toEqual([{ _id: null, n: 3 }]);
    expect([...run([])]).toEqual([]);
    expect([...run(DOCS)]).toEqual([{ _id: null, n: 3 }]);
  });

  it('$facet runs several over the same documents', () => {
    const facets = {
      n: [{ $count: 'n' }],
      a: [{ $match: { k: 'a' } }, { $project: { v: 1 } }],
      none: [{ $match: { k: 'z' } }],
    };
    expect(aggregated([{ $facet: facets }], DOCS)).toEqual([
      {
        n: [{ n: 3 }],
        a: [
          { _id: 1, v: 5 },
          { _id: 3, v: 4 },
        ],
        none: [],
      },
    ]);
  });

  refuses([
    [{ $facet: 5 }, 40169],
    [{ $facet: {} }, 40169],
    [{ $facet: { a: 5 } }, 40170],
    [{ $facet: { a: [{ $facet: {} }] } }, 40600, '$facet is not allowed to be used within a $facet stage'],
    [{ $facet: { a: [{ $out: 'x' }] } }, 40600],
    [{ $facet: { $a: [] } }, 16410],
    [{ $facet: { 'a.b': [] } }, 16412],
    [{ $facet: { a: [{ $nope: 1 }] } }, 40324],
  ]);
});

describe('the part a find can do', () => {
  it.each<[Document[], Document]>([
    [[], { filter: {}, rest: [] }],
    [[{ $match: { a: 1 } }], { filter: { a: 1 }, rest: [] }],
    [
      [
        { $match: { a: 1 } },
        { $match: { b: 2 } },
        { $sort: { c: 1 } },
        { $skip: 5 },
        { $limit: 3 },
        { $project: { a: 1 } },
      ],
      {
        filter: { $and: [{ a: 1 }, { b: 2 }] },
        sort: { c: 1 },
        skip: 5,
        limit: 3,
        rest: [{ $project: { a: 1 } }],
      },
    ],
    [[{ $limit: 3 }, { $match: { a: 1 } }], { filter: {}, limit: 3, rest: [{ $match: { a: 1 } }] }],
    [[{ $limit: 3 }, { $skip: 1 }], { filter: {}, limit: 3, rest: [{ $skip: 1 }] }],
    [
      [{ $sort: { a: 1 } }, { $match: { a: 1 } }],
      { filter: {}, sort: { a: 1 }, rest: [{ $match: { a: 1 } }] },
    ],
    [[{ $limit: 'x' }], { filter: {}, rest: [{ $limit: 'x' }] }],
    [
      [{ $group: { _id: 1 } }, { $match: { a: 1 } }],
      { filter: {}, rest: [{ $group: { _id: 1 } }, { $match: { a: 1 } }] },
    ],
  ])('of %o', (stages, expected) => {
    const before = JSON.stringify(stages);
    expect(leadingQuery(stages)).toEqual(expected);
    expect(JSON.stringify(stages)).toBe(before);
  });
});
