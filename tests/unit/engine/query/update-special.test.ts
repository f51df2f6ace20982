import { describe, expect, it } from 'vitest';
import { codeOf, updated } from './support.ts';

describe('$setOnInsert', () => {
  it('acts only when an upsert inserts', () => {
    const update = { $set: { a: 1 }, $setOnInsert: { b: 2, 'c.d': 3 } };
    expect(updated({ _id: 1 }, update)).toEqual({ _id: 1, a: 1 });
    expect(updated({ _id: 1 }, update, { isUpsertInsert: true })).toEqual({
      _id: 1,
      a: 1,
      b: 2,
      c: { d: 3 },
    });
  });

  it('conflicts with other operators all the same', () => {
    expect(codeOf(() => updated({ _id: 1 }, { $set: { a: 1 }, $setOnInsert: { a: 2 } }))).toBe(40);
  });
});
