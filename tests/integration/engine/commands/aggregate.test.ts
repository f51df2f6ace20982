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
  it('takes variables, whose values are expressions of their own', async () => {
    const pipeline = [
      { $match: { $expr: { $eq: ['$_id', '$$id'] } } },
      { $project: { _id: 0, x: '$$x', y: '$$y', sum: { $add: ['$x', '$$three'] } } },
    ];
    const variables = { id: 1, x: 'foo', y: { $literal: '$bar' }, three: { $add: [1, 2] } };
    expect(await given.items.aggregate(pipeline, { let: variables }).toArray()).toEqual([
      { x: 'foo', y: '$bar', sum: 14 },
    ]);
  });

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
