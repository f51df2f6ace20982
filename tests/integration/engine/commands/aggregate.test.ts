import { describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems } from './items.ts';

const given = useItems();
describe('a pipeline', () => {
  it.each([
    [[{ $match: {}, $sort: {} }], 40323],
    [[{ $changeStream: {} }], 40324],
    [[{ $collStats: { count: {} } }], 40324],
  ])('is refused where it would not work: %j', async (pipeline, code) => {
    expect(await failureOf(given.items.aggregate(pipeline).toArray())).toMatchObject({ code });
  });
});
