import { describe, expect, it } from 'vitest';
import { compilePipeline, leadingQuery } from '#models/engine/query/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { failure } from './support.ts';

const DOCS: Document[] = [
  { _id: 1, k: 'a', v: 5, o: { x: 1 } },
  { _id: 2, k: 'b', v: 3, o: { x: 2 } },
  { _id: 3, k: 'a', v: 4 },
];

describe('pipelines', () => {
  it.each<[Document[], number, string]>([
    [
      [{ $nope: 1 }],
      40324,
      "Unrecognized pipeline stage name: '$nope': the embedded database does not have it",
    ],
    [[{}], 40323, 'A pipeline stage specification object must contain exactly one field.'],
    [
      [{ $match: {}, $limit: 1 }],
      40323,
      'A pipeline stage specification object must contain exactly one field.',
    ],
    [[5 as unknown as Document], 14, "Each element of the 'pipeline' array must be an object"],
  ])('refuse %o', (stages, code, message) => {
    expect(failure(() => compilePipeline(stages))).toEqual({ code, message });
  });

  it.each([
    ...['$lookup', '$graphLookup', '$unionWith', '$facet', '$bucket', '$bucketAuto', '$out', '$merge'],
    ...['$replaceRoot', '$replaceWith', '$sample', '$sortByCount', '$count', '$unwind', '$addFields'],
    ...['$densify', '$fill', '$setWindowFields', '$geoNear', '$redact', '$documents'],
  ])('refuse %s by name', (name) => {
    expect(failure(() => compilePipeline([{ [name]: {} }]))).toEqual({
      code: 40324,
      message: `Unrecognized pipeline stage name: '${name}': the embedded database does not have it`,
    });
  });

  it('can be run again', () => {
    const run = compilePipeline([{ $group: { _id: null, n: { $sum: 1 } } }]);
    expect([...run(DOCS)]).toEqual([{ _id: null, n: 3 }]);
    expect([...run([])]).toEqual([]);
    expect([...run(DOCS)]).toEqual([{ _id: null, n: 3 }]);
  });
});

describe('the part of a pipeline that a find can answer', () => {
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
