import { describe, expect, it } from 'vitest';
import type { Document } from '#models/engine/values/types.ts';
import { failure, matches } from './support.ts';

type Case = [filter: Document, doc: Document, expected: boolean];

function cases(list: Case[]): void {
  it.each(list)('%o on %o: %s', (filter, doc, expected) => {
    expect(matches(filter, doc)).toBe(expected);
  });
}

function refuses(list: [filter: Document, code: number, message: string | RegExp][]): void {
  it.each(list)('refuses %o', (filter, code, message) => {
    const found = failure(() => matches(filter, {}));
    expect(found.code).toBe(code);
    if (typeof message === 'string') expect(found.message).toBe(message);
    else expect(found.message).toMatch(message);
  });
}

describe('$all', () => {
  cases([
    [{ a: { $all: [1, 2] } }, { a: [2, 3, 1] }, true],
    [{ a: { $all: [1, 2] } }, { a: [1] }, false],
    [{ a: { $all: [1] } }, { a: 1 }, true],
    [{ a: { $all: [] } }, { a: [1] }, false],
    [{ a: { $all: [[1, 2]] } }, { a: [1, 2] }, true],
    [{ a: { $all: [null] } }, {}, true],
    [{ a: { $all: [/^x/, 'y'] } }, { a: ['y', 'xz'] }, true],
    [{ a: { $all: [{ b: 1 }] } }, { a: [{ b: 1 }] }, true],
    [
      { a: { $all: [{ $elemMatch: { b: 1 } }, { $elemMatch: { b: 2 } }] } },
      { a: [{ b: 1 }, { b: 2 }] },
      true,
    ],
    [
      { a: { $all: [{ $elemMatch: { b: 1 } }, { $elemMatch: { b: 3 } }] } },
      { a: [{ b: 1 }, { b: 2 }] },
      false,
    ],
    [{ 'a.b': { $all: [1, 2] } }, { a: [{ b: 1 }, { b: 2 }] }, true],
  ]);

  refuses([
    [{ a: { $all: 1 } }, 2, '$all needs an array'],
    [{ a: { $all: [{ $gt: 1 }] } }, 2, 'no $ expressions in $all'],
    [{ a: { $all: [{ $elemMatch: { b: 1 } }, 1] } }, 2, '$all/$elemMatch has to be consistent'],
  ]);
});

describe('$elemMatch', () => {
  cases([
    [{ a: { $elemMatch: { $gt: 1, $lt: 3 } } }, { a: [0, 5] }, false],
    [{ a: { $elemMatch: { $gt: 1, $lt: 3 } } }, { a: [0, 2] }, true],
    [{ a: { $elemMatch: { $gt: 1 } } }, { a: 5 }, false],
    [{ a: { $elemMatch: { b: 1, c: 2 } } }, { a: [{ b: 1 }, { c: 2 }] }, false],
    [{ a: { $elemMatch: { b: 1, c: 2 } } }, { a: [{ b: 1, c: 2 }] }, true],
    [{ a: { $elemMatch: { b: 1 } } }, { a: { b: 1 } }, false],
    [{ a: { $elemMatch: { $or: [{ b: 1 }, { c: 2 }] } } }, { a: [{ c: 2 }] }, true],
    [{ a: { $elemMatch: { $ne: 1 } } }, { a: [1, 2] }, true],
    [{ a: { $elemMatch: { $ne: 1 } } }, { a: [1] }, false],
    [{ a: { $elemMatch: { $not: { $gt: 1 } } } }, { a: [5, 0] }, true],
    [{ a: { $elemMatch: { $in: [1, 2] } } }, { a: [3, 2] }, true],
    [{ a: { $elemMatch: { $elemMatch: { $gt: 1 } } } }, { a: [[0, 2]] }, true],
    [{ a: { $elemMatch: { 0: 1 } } }, { a: [[1, 2]] }, true],
    [{ a: { $elemMatch: { length: 2 } } }, { a: [[1, 2]] }, false],
    [{ a: { $elemMatch: { $size: 2 } } }, { a: [[1, 2]] }, true],
    [{ a: { $elemMatch: {} } }, { a: [1, {}] }, true],
    [{ a: { $elemMatch: {} } }, { a: [1] }, false],
    [{ a: { $elemMatch: { $regex: '^x' } } }, { a: ['y', 'xy'] }, true],
    [{ 'a.b': { $elemMatch: { c: 1 } } }, { a: [{ b: [{ c: 1 }] }] }, true],
    [{ a: { $elemMatch: { b: { $elemMatch: { c: 1 } } } } }, { a: [{ b: [{ c: 1 }] }] }, true],
    [{ a: { $elemMatch: { $exists: true } } }, { a: [] }, false],
    [{ a: { $elemMatch: { $type: 'string' } } }, { a: [1, 'x'] }, true],
  ]);

  refuses([[{ a: { $elemMatch: 1 } }, 2, '$elemMatch needs an Object']]);
});
