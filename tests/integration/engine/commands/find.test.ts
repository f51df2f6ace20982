import { describe, expect, it } from 'vitest';
import { useItems } from './items.ts';

const given = useItems();

describe('find', () => {
  it('sorts, skips and limits', async () => {
    const found = await given.items
      .find({ x: { $gt: 11 } })
      .sort({ x: -1 })
      .skip(1)
      .limit(2)
      .toArray();
    expect(found).toEqual([
      { _id: 4, x: 44 },
      { _id: 3, x: 33 },
    ]);
  });

  it('projects', async () => {
    expect(await given.items.findOne({ _id: 2 }, { projection: { x: 1, _id: 0 } })).toEqual({ x: 22 });
  });

  it('returns several batches', async () => {
    const found = await given.items.find({ _id: { $gt: 1 } }, { batchSize: 2, sort: { _id: 1 } }).toArray();
    expect(found.map(({ _id }) => _id)).toEqual([2, 3, 4, 5]);
  });

  it('returns nothing for a missing collection', async () => {
    expect(await given.engine.db().collection('none').find().toArray()).toEqual([]);
  });

  it('counts, exactly and from the collection alone', async () => {
    expect(await given.items.countDocuments({ x: { $gt: 22 } })).toBe(3);
    expect(await given.items.countDocuments({ x: { $gt: 22 } }, { limit: 2 })).toBe(2);
    expect(await given.items.countDocuments({}, { skip: 1, limit: 3 })).toBe(3);
    expect(await given.items.countDocuments({ x: 0 })).toBe(0);
    expect(await given.items.estimatedDocumentCount()).toBe(5);
  });

  it('returns distinct values', async () => {
    await given.items.updateMany({ _id: { $lt: 3 } }, { $set: { x: 1 } });
    expect(await given.items.distinct('x')).toEqual([1, 33, 44, 55]);
    expect(await given.items.distinct('x', { _id: { $gt: 4 } })).toEqual([55]);
  });
});
