import type { Db } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems } from './items.ts';

const given = useItems();
let db: Db;

beforeEach(() => {
  db = given.items.db;
});

describe('a pipeline', () => {
  it('counts as countDocuments and estimatedDocumentCount send it', async () => {
    const count = [{ $collStats: { count: {} } }, { $group: { _id: 1, n: { $sum: '$count' } } }];
    expect(await given.items.aggregate(count).toArray()).toEqual([{ _id: 1, n: 5 }]);
    expect(await failureOf(db.collection('none').aggregate(count).toArray())).toMatchObject({ code: 26 });
  });

  it.each([
    [[{ $match: {}, $sort: {} }], 40323],
    [[{ $changeStream: {} }], 40573],
    [[{ $search: {} }], expect.any(Number)],
  ])('is refused where it would not work: %j', async (pipeline, code) => {
    expect(await failureOf(given.items.aggregate(pipeline).toArray())).toMatchObject({ code });
  });
});
