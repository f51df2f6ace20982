import { describe, expect, it } from 'vitest';
import type { Document } from '#models/engine/values/types.ts';
import { aggregated, failure } from '../support.ts';

const DOCS: Document[] = [
  { _id: 1, k: 'a', v: 5, d: new Date(3) },
  { _id: 2, k: 'b', v: 3, d: new Date(1) },
  { _id: 3, k: 'a', v: 4.5 },
  { _id: 4, v: 'x', k: null },
];

function refuses(list: [stage: Document, code: number, message?: string][]): void {
  it.each(list)('refuses %o with %i', (stage, code, message) => {
    const found = failure(() => aggregated([stage], DOCS));
    expect(found.code).toBe(code);
    if (message !== undefined) expect(found.message).toBe(message);
  });
}

describe('buckets', () => {
  const docs: Document[] = [1, 5, 7, 12, 20].map((v, i) => ({ _id: i, v }));

  it('$bucket groups by boundaries', () => {
    const spec = {
      groupBy: '$v',
      boundaries: [0, 6, 15],
      default: 'other',
      output: { n: { $sum: 1 }, vs: { $push: '$v' } },
    };
    expect(aggregated([{ $bucket: spec }], docs)).toEqual([
      { _id: 0, n: 2, vs: [1, 5] },
      { _id: 6, n: 2, vs: [7, 12] },
      { _id: 'other', n: 1, vs: [20] },
    ]);
    expect(aggregated([{ $bucket: { groupBy: '$v', boundaries: [1, 21] } }], docs)).toEqual([
      { _id: 1, count: 5 },
    ]);
  });

  it('$bucketAuto divides evenly and keeps equal keys together', () => {
    expect(aggregated([{ $bucketAuto: { groupBy: '$v', buckets: 2 } }], docs)).toEqual([
      { _id: { min: 1, max: 12 }, count: 3 },
      { _id: { min: 12, max: 20 }, count: 2 },
    ]);
    const equal = [1, 1, 1, 2].map((v) => ({ v }));
    expect(
      aggregated([{ $bucketAuto: { groupBy: '$v', buckets: 4, output: { n: { $sum: 1 } } } }], equal),
    ).toEqual([
      { _id: { min: 1, max: 2 }, n: 3 },
      { _id: { min: 2, max: 2 }, n: 1 },
    ]);
    expect(aggregated([{ $bucketAuto: { groupBy: '$v', buckets: 3 } }], [])).toEqual([]);
  });

  it('$sortByCount sorts groups by size', () => {
    expect(aggregated([{ $sortByCount: '$k' }], [{ k: 'a' }, { k: 'b' }, { k: 'b' }])).toEqual([
      { _id: 'b', count: 2 },
      { _id: 'a', count: 1 },
    ]);
    expect(aggregated([{ $sortByCount: { $toUpper: '$k' } }], [{ k: 'a' }, { k: 'A' }])).toEqual([
      { _id: 'A', count: 2 },
    ]);
  });

  refuses([
    [{ $bucket: 5 }, 40201],
    [{ $bucket: { groupBy: '$v', boundaries: [0, 1], x: 1 } }, 40197],
    [{ $bucket: { groupBy: '$v' } }, 40198],
    [{ $bucket: { groupBy: 'v', boundaries: [0, 1] } }, 40202],
    [{ $bucket: { groupBy: '$v', boundaries: 5 } }, 40200],
    [{ $bucket: { groupBy: '$v', boundaries: [1] } }, 40192],
    [{ $bucket: { groupBy: '$v', boundaries: [1, 'x'] } }, 40193],
    [{ $bucket: { groupBy: '$v', boundaries: [2, 1] } }, 40194],
    [{ $bucket: { groupBy: '$v', boundaries: [1, 5], default: 3 } }, 40199],
    [{ $bucket: { groupBy: '$v', boundaries: [1, 5], output: 5 } }, 40196],
    [{ $bucket: { groupBy: '$v', boundaries: [1, 2] } }, 40066],
    [{ $bucketAuto: 5 }, 40240],
    [{ $bucketAuto: { groupBy: '$v', buckets: 1, x: 1 } }, 40245],
    [{ $bucketAuto: { groupBy: '$v' } }, 40246],
    [{ $bucketAuto: { groupBy: 5, buckets: 1 } }, 40239],
    [{ $bucketAuto: { groupBy: '$v', buckets: 'x' } }, 40241],
    [{ $bucketAuto: { groupBy: '$v', buckets: 0 } }, 40243],
    [{ $bucketAuto: { groupBy: '$v', buckets: 1, output: 5 } }, 40244],
    [{ $bucketAuto: { groupBy: '$v', buckets: 1, granularity: 'R5' } }, 115],
    [{ $sortByCount: 'k' }, 40149],
    [{ $sortByCount: 5 }, 40149],
  ]);
});
