import { describe, expect, it } from 'vitest';
import { BSONRegExp, Double, type Document } from '#models/engine/values/types.ts';
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

describe('$and, $or, $nor, $not', () => {
  cases([
    [{ $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }, true],
    [{ $and: [{ a: 1 }, { b: 2 }] }, { a: 1 }, false],
    [{ $or: [{ a: 1 }, { b: 2 }] }, { b: 2 }, true],
    [{ $or: [{ a: 1 }, { b: 2 }] }, {}, false],
    [{ $nor: [{ a: 1 }, { b: 2 }] }, {}, true],
    [{ $nor: [{ a: 1 }, { b: 2 }] }, { b: 2 }, false],
    [{ a: 1, $or: [{ b: 1 }, { b: 2 }] }, { a: 1, b: 2 }, true],
    [{ a: { $not: { $gt: 1 } } }, { a: 1 }, true],
    [{ a: { $not: { $gt: 1 } } }, {}, true],
    [{ a: { $not: { $gt: 1 } } }, { a: [0, 2] }, false],
    [{ a: { $not: { $gt: 1, $lt: 3 } } }, { a: 5 }, true],
    [{ a: { $not: { $gt: 1, $lt: 3 } } }, { a: [0, 5] }, false],
    [{ a: { $not: /^x/ } }, { a: 'y' }, true],
    [{ a: { $not: { $regex: '^x' } } }, { a: 'xy' }, false],
    [{ a: { $not: { $not: { $eq: 1 } } } }, { a: 1 }, true],
    [{ a: { $not: { $size: 2 } } }, { a: [1] }, true],
    [{ $comment: 'why', a: 1 }, { a: 1 }, true],
    [{ a: { $gt: 0, $comment: 'why' } }, { a: 1 }, true],
  ]);

  refuses([
    [{ $and: {} }, 2, '$and argument must be an array'],
    [{ $or: [] }, 2, '$and/$or/$nor must be a nonempty array'],
    [{ $nor: [1] }, 2, '$or/$and/$nor entries need to be full objects'],
    [{ a: { $not: 1 } }, 2, '$not needs a regex or a document'],
    [{ a: { $not: {} } }, 2, '$not cannot be empty'],
    [{ a: { $not: { b: 1 } } }, 2, 'unknown operator: b: the embedded database does not have it'],
  ]);
});

describe('$exists', () => {
  cases([
    [{ a: { $exists: true } }, { a: null }, true],
    [{ a: { $exists: true } }, {}, false],
    [{ a: { $exists: false } }, {}, true],
    [{ a: { $exists: 1 } }, { a: 1 }, true],
    [{ a: { $exists: 0 } }, {}, true],
    [{ a: { $exists: null } }, {}, true],
    [{ a: { $exists: new Double(0) } }, { a: 1 }, false],
    [{ a: { $exists: '' } }, { a: 1 }, true],
    [{ 'a.b': { $exists: true } }, { a: [1, { b: 1 }] }, true],
    [{ 'a.b': { $exists: false } }, { a: [] }, true],
    [{ a: { $exists: true } }, { a: [] }, true],
  ]);
});

describe('$size', () => {
  cases([
    [{ a: { $size: 2 } }, { a: [1, 2] }, true],
    [{ a: { $size: new Double(2) } }, { a: [1, 2] }, true],
    [{ a: { $size: 0 } }, { a: [] }, true],
    [{ a: { $size: 1 } }, { a: 'x' }, false],
    [{ a: { $size: 1 } }, { a: [[1, 2]] }, true],
    [{ a: { $size: 2 } }, { a: [[1, 2]] }, false],
    [{ 'a.b': { $size: 1 } }, { a: [{ b: [1] }] }, true],
  ]);

  refuses([
    [{ a: { $size: 'x' } }, 2, 'Failed to parse $size. Expected a number in: $size: "x"'],
    [{ a: { $size: 1.5 } }, 2, 'Failed to parse $size. Expected an integer in: $size: 1.5'],
    [{ a: { $size: -1 } }, 2, 'Failed to parse $size. Expected a non-negative number in: $size: -1'],
  ]);
});

describe('$regex', () => {
  cases([
    [{ a: { $regex: '^x' } }, { a: 'xy' }, true],
    [{ a: { $regex: 'X', $options: 'i' } }, { a: 'x' }, true],
    [{ a: { $options: 'i', $regex: 'X' } }, { a: 'x' }, true],
    [{ a: { $regex: /X/i } }, { a: 'x' }, true],
    [{ a: { $regex: /X/, $options: 'i' } }, { a: 'x' }, true],
    [{ a: /x/ }, { a: ['a', 'x'] }, true],
    [{ a: /1/ }, { a: 1 }, false],
    [{ a: new BSONRegExp('x', 'i') }, { a: new BSONRegExp('x', 'i') }, true],
    [{ a: new BSONRegExp('x', 'i') }, { a: new BSONRegExp('x') }, false],
    [{ a: { $regex: 'a', $ne: 'ab' } }, { a: 'abc' }, true],
    [{ 'a.b': /x/ }, { a: [{ b: 'x' }] }, true],
  ]);

  refuses([
    [{ a: { $regex: 1 } }, 2, '$regex has to be a string'],
    [{ a: { $regex: 'x', $options: 1 } }, 2, '$options has to be a string'],
    [{ a: { $options: 'i' } }, 2, '$options needs a $regex'],
    [{ a: { $regex: /x/i, $options: 'm' } }, 51075, 'options set in both $regex and $options'],
    [{ a: { $regex: '(' } }, 51091, /^Regular expression is invalid/],
  ]);
});
