import { describe, expect, it } from 'vitest';
import { compileDocument } from '#models/engine/query/filter/compile.ts';
import { filterContext } from '#models/engine/query/filter/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { NOW, codeOf, failure, matches } from './support.ts';

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

describe('$expr', () => {
  cases([
    [{ $expr: { $gt: ['$a', '$b'] } }, { a: 2, b: 1 }, true],
    [{ $expr: { $gt: ['$a', '$b'] } }, { a: 1, b: 2 }, false],
    [{ $expr: '$a' }, { a: 0 }, false],
    [{ $expr: true }, {}, true],
    [{ $or: [{ x: 1 }, { $expr: { $eq: ['$a', 1] } }] }, { a: 1 }, true],
    [{ $expr: { $eq: ['$a', null] } }, {}, false],
    [{ $expr: { $lt: ['$a', '$$NOW'] } }, { a: new Date(0) }, true],
  ]);

  it('knows the variables of the command', () => {
    const filter = { $expr: { $eq: ['$a', '$$wanted'] } };
    expect(matches(filter, { a: 5 }, { variables: { wanted: 5 } })).toBe(true);
    expect(codeOf(() => matches(filter, { a: 5 }))).toBe(17276);
  });

  it('takes the time from the caller', () => {
    expect(matches({ $expr: { $eq: ['$a', '$$NOW'] } }, { a: NOW }, { now: NOW })).toBe(true);
  });
});

describe('the place of a match', () => {
  function place(filter: Document, doc: Document): number | undefined {
    const details: { index?: number } = {};
    const found = compileDocument(filter, filterContext({})).onDocument(doc, details);
    expect(found).toBe(true);
    return details.index;
  }

  it.each<[Document, Document, number | undefined]>([
    [{ a: 5 }, { a: [4, 5, 5] }, 1],
    [{ a: 5 }, { a: 5 }, undefined],
    [{ a: [4, 5] }, { a: [4, 5] }, undefined],
    [{ a: { $gt: 4 } }, { a: [4, 5] }, 1],
    [{ 'a.b': 2 }, { a: [{ b: 1 }, { b: 2 }] }, 1],
    [{ 'a.b': 2 }, { a: [{ b: [1] }, { b: [1, 2] }] }, 1],
    [{ 'a.0': 2 }, { a: [2, 2] }, undefined],
    [{ 'a.1.b': 2 }, { a: [{ b: [9] }, { b: [1, 2] }] }, 1],
    [{ a: { $elemMatch: { $gt: 4 } } }, { a: [4, 5] }, 1],
    [{ a: { $elemMatch: { b: 2 } } }, { a: [{ b: 1 }, { b: 2 }] }, 1],
    [{ 'a.b': { $elemMatch: { $gt: 1 } } }, { a: [{ b: [0] }, { b: [0, 2] }] }, 1],
    [{ $and: [{ a: 5 }] }, { a: [4, 5] }, 1],
    [{ a: 4, b: 7 }, { a: [4], b: [6, 7] }, 1],
    [{ b: 7, a: 4 }, { a: [4], b: [6, 7] }, 0],
    [{ $or: [{ a: 5 }] }, { a: [4, 5] }, undefined],
    [{ a: { $not: { $gt: 9 } } }, { a: [4, 5] }, undefined],
    [{ a: 5, x: { $exists: false } }, { a: [4, 5] }, 1],
    [{ a: { $in: [5] } }, { a: [4, 5] }, 1],
    [{ a: { $all: [4, 5] } }, { a: [5, 4] }, 0],
  ])('%o in %o is %s', (filter, doc, expected) => {
    expect(place(filter, doc)).toBe(expected);
  });

  it('is forgotten when a later condition fails', () => {
    const details: { index?: number } = {};
    compileDocument({ a: 5, b: 1 }, filterContext({})).onDocument({ a: [4, 5] }, details);
    expect(details).toEqual({});
  });
});
