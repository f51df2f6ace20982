import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues, isTruthy } from '#models/engine/query/compare.ts';
import {
  BsonUndefined,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  type Document,
} from '#models/engine/values/types.ts';
import { anyValue, dec } from '../values/arbitrary.ts';
import { evaluate, failure } from './support.ts';

const DOC: Document = {
  a: 1,
  z: 0,
  t: true,
  f: false,
  n: null,
  s: 'x',
  o: { b: { c: 2 } },
  l: [{ b: 1 }, { b: 2 }, 5, { c: 3 }, [{ b: 9 }]],
  deep: [{ x: [{ y: 1 }, { y: 2 }] }, { x: { y: 3 } }],
};

function cases(list: [spec: unknown, expected: unknown][]): void {
  it.each(list)('%o is %o', (spec, expected) => {
    expect(evaluate(spec, DOC)).toEqual(expected);
  });
}

function refuses(list: [spec: unknown, code: number, message?: string | RegExp][]): void {
  it.each(list)('refuses %o with %i', (spec, code, message) => {
    const found = failure(() => evaluate(spec, DOC));
    expect(found.code).toBe(code);
    if (message instanceof RegExp) expect(found.message).toMatch(message);
    else if (message !== undefined) expect(found.message).toBe(message);
  });
}

describe('paths and constants', () => {
  cases([
    ['$a', 1],
    ['$nothing', undefined],
    ['$o.b.c', 2],
    ['$o.b', { c: 2 }],
    ['$a.b', undefined],
    ['$l.b', [1, 2]],
    ['$l.0', []],
    ['$deep.x.y', [[1, 2], 3]],
    ['$$ROOT', DOC],
    ['$$ROOT.o.b.c', 2],
    ['plain', 'plain'],
    [5, 5],
    [null, null],
    [
      ['$a', '$nothing', 7],
      [1, null, 7],
    ],
    [
      { x: '$a', y: '$nothing', z: { w: '$s' } },
      { x: 1, z: { w: 'x' } },
    ],
    [{}, {}],
    [{ $literal: '$a' }, '$a'],
    ['$constructor', undefined],
    ['$__proto__', undefined],
  ]);

  refuses([
    ['$', 16872],
    ['$$', 17276],
    ['$a.', 40353],
    ['$a..b', 15998],
    ['$.a', 15998],
    ['$a.$b', 16410],
    ['$a\0b', 16411],
    ['$$nope', 17276, 'Use of undefined variable: nope: the embedded database does not have it'],
    [{ $add: [1], $subtract: [2] }, 15983, /exactly one field/],
    [{ a: 1, $b: 2 }, 16410],
    [{ 'a.b': 1 }, 16412],
    [{ '': 1 }, 15998],
    [{ $where: 'x' }, 168, "Unrecognized expression '$where': the embedded database does not have it"],
  ]);

  it('do not hand out the constants of the command', () => {
    const list = [1];
    const value = evaluate({ $literal: list }) as number[];
    value.push(2);
    expect(list).toEqual([1]);
  });
});

describe('comparison', () => {
  cases([
    [{ $eq: ['$a', 1] }, true],
    [{ $eq: ['$a', new Double(1)] }, true],
    [{ $eq: [dec('1.0'), Long.ONE] }, true],
    [{ $eq: ['$nothing', null] }, false],
    [{ $eq: ['$nothing', '$nowhere'] }, true],
    [{ $ne: ['$a', 2] }, true],
    [{ $gt: ['$s', 5] }, true],
    [{ $gt: [null, 5] }, false],
    [{ $lt: ['$nothing', null] }, true],
    [{ $gte: [[1, 2], [1]] }, true],
    [{ $lte: [{ a: 1 }, { a: 1 }] }, true],
    [{ $cmp: [1, 2] }, -1],
    [{ $cmp: ['b', 'a'] }, 1],
    [{ $cmp: [1, new Double(1)] }, 0],
  ]);

  refuses([[{ $eq: [1] }, 16020, 'Expression $eq takes exactly 2 arguments. 1 were passed in.']]);

  it('is the order of values', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const operands = [{ $literal: a }, { $literal: b }];
        const order = compareValues(a, b);
        expect(evaluate({ $cmp: operands })).toBe(order);
        expect(evaluate({ $eq: operands })).toBe(order === 0);
        expect(evaluate({ $lt: operands })).toBe(order < 0);
        expect(evaluate({ $gte: operands })).toBe(order >= 0);
      }),
    );
  });
});

describe('truth', () => {
  it.each<[unknown, boolean]>([
    [undefined, false],
    [null, false],
    [BsonUndefined.instance, false],
    [false, false],
    [0, false],
    [-0, false],
    [new Double(0), false],
    [Long.ZERO, false],
    [dec('0.00'), false],
    [NaN, true],
    [dec('NaN'), true],
    [dec('0.01'), true],
    [1, true],
    ['', true],
    [[], true],
    [{}, true],
    [new Date(0), true],
    [new ObjectId(), true],
    [new MinKey(), true],
    [new MaxKey(), true],
  ])('%o is %s', (value, expected) => {
    expect(isTruthy(value)).toBe(expected);
  });

  cases([
    [{ $and: [] }, true],
    [{ $and: ['$a', '$t'] }, true],
    [{ $and: ['$a', '$z'] }, false],
    [{ $and: '$a' }, true],
    [{ $or: [] }, false],
    [{ $or: ['$z', '$n', '$a'] }, true],
    [{ $or: ['$z', '$nothing'] }, false],
    [{ $not: '$a' }, false],
    [{ $not: ['$nothing'] }, true],
    [{ $and: ['$z', { $divide: [1, 0] }] }, false],
    [{ $or: ['$a', { $divide: [1, 0] }] }, true],
  ]);
});

describe('conditions', () => {
  cases([
    [{ $cond: ['$t', 1, 2] }, 1],
    [{ $cond: ['$f', 1, 2] }, 2],
    [{ $cond: { if: '$a', then: '$s', else: 2 } }, 'x'],
    [{ $cond: ['$t', 1, { $divide: [1, 0] }] }, 1],
    [{ $ifNull: ['$n', '$nothing', 5] }, 5],
    [{ $ifNull: ['$a', 5] }, 1],
    [{ $ifNull: ['$n', '$nothing'] }, undefined],
    [{ $ifNull: ['$nothing', '$n'] }, null],
  ]);

  refuses([[{ $cond: [1, 2] }, 16020]]);
});

describe('the other operators', () => {
  cases([
    [{ $concat: ['a', '$s'] }, 'ax'],
    [{ $concat: ['a', '$n'] }, null],
    [{ $toLower: 'ÀB' }, 'Àb'],
    [{ $toUpper: '$nothing' }, ''],
    [{ $size: '$l' }, 5],
    [{ $type: '$nothing' }, 'missing'],
    [{ $type: '$a' }, 'int'],
    [{ $toLong: 2.9 }, Long.fromNumber(2)],
    [{ $toLong: new Date(7) }, Long.fromNumber(7)],
    [{ $toLong: dec('-2.9') }, Long.fromNumber(-2)],
    [{ $toLong: true }, Long.fromNumber(1)],
    [{ $toLong: '$n' }, null],
    [{ $dateToString: { date: new Date('2024-02-29T12:30:45.678Z') } }, '2024-02-29T12:30:45.678Z'],
    [
      { $dateToString: { date: new Date('2024-02-29T12:30:45.678Z'), format: '%Y-%m %d %%' } },
      '2024-02 29 %',
    ],
    [{ $dateToString: { date: '$n', onNull: '$s' } }, 'x'],
    [{ $dateToString: { date: ObjectId.createFromTime(0) } }, '1970-01-01T00:00:00.000Z'],
  ]);

  refuses([
    [{ $concat: ['a', 5] }, 16702],
    [{ $toLower: 5 }, 115, '$toLower of a int is not supported by the embedded engine'],
    [{ $toLong: '5' }, 115],
    [{ $toLong: 1e19 }, 241],
    [{ $toLong: [[1]] }, 241],
    [{ $size: 5 }, 17124],
    [{ $dateToString: { date: 5 } }, 16006],
    [{ $dateToString: { date: new Date(0), timezone: 'Europe/Zurich' } }, 115],
    [{ $dateToString: { date: new Date(0), format: '%q' } }, 18536],
    [{ $dateToString: { date: new Date(0), zone: 'UTC' } }, 9],
  ]);

  it.each([
    ...['$abs', '$round', '$switch', '$let', '$map', '$filter', '$arrayElemAt', '$mergeObjects', '$toString'],
    ...['$year', '$convert', '$regexMatch', '$reduce', '$substrCP', '$sum', '$max'],
  ])('%s is refused by its name', (name) => {
    expect(failure(() => evaluate({ [name]: 1 }))).toEqual({
      code: 168,
      message: `Unrecognized expression '${name}': the embedded database does not have it`,
    });
  });
});
