import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues, isTruthy } from '#models/engine/query/compare.ts';
import {
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Document,
} from '#models/engine/values/types.ts';
import { anyValue } from '../values/arbitrary.ts';
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
    ['plain', 'plain'],
    [5, 5],
    [null, null],
    [
      { x: '$a', y: '$nothing', z: { w: '$s' } },
      { x: 1, z: { w: 'x' } },
    ],
    [{}, {}],
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
    [{ a: 1, $b: 2 }, 16410],
    [{ 'a.b': 1 }, 16412],
    [{ '': 1 }, 15998],
    [{ $where: 'x' }, 168, "Unrecognized expression '$where': the embedded database does not have it"],
  ]);
});

describe('comparison', () => {
  cases([
    [{ $eq: ['$a', 1] }, true],
    [{ $eq: ['$a', new Double(1)] }, true],
    [{ $eq: ['$nothing', null] }, false],
    [{ $eq: ['$nothing', '$nowhere'] }, true],
    [{ $eq: ['$o', { b: { c: '$o.b.c' } }] }, true],
  ]);

  refuses([[{ $eq: [1] }, 16020, 'Expression $eq takes exactly 2 arguments. 1 were passed in.']]);

  it('compares values in their sort order', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expect(evaluate({ $eq: ['$a', '$b'] }, { a, b })).toBe(compareValues(a, b) === 0);
      }),
    );
  });
});

describe('truth', () => {
  it.each<[unknown, boolean]>([
    [undefined, false],
    [null, false],
    [false, false],
    [0, false],
    [-0, false],
    [new Double(0), false],
    [Long.ZERO, false],
    [NaN, true],
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
});

describe('conditions', () => {
  cases([
    [{ $cond: ['$t', 1, 2] }, 1],
    [{ $cond: ['$f', 1, 2] }, 2],
    [{ $cond: ['$t', 1, { $mod: [1, 0] }] }, 1],
  ]);

  refuses([
    [{ $cond: [1, 2] }, 16020],
    [{ $cond: { if: '$a', then: '$s', else: 2 } }, 16020],
  ]);
});

describe('the other operators', () => {
  cases([
    [{ $dateToString: { date: new Date('2024-02-29T12:30:45.678Z') } }, '2024-02-29T12:30:45.678Z'],
    [{ $dateToString: { date: new ObjectId('65e0a0000000000000000001') } }, '2024-02-29T15:17:20.000Z'],
    [{ $dateToString: { date: new Timestamp({ t: 1, i: 7 }) } }, '1970-01-01T00:00:01.000Z'],
    [
      { $dateToString: { date: new Date('2024-02-29T12:30:45.678Z'), format: '%Y-%m %d %%' } },
      '2024-02 29 %',
    ],
  ]);

  refuses([
    [{ $toLong: 5 }, 168, /^Unrecognized expression '\$toLong'/],
    [{ $eq: [[1], 1] }, 115, 'an array of expressions is not supported by the embedded engine'],
    [{ $subtract: [1], $eq: [2] }, 15983, /exactly one field/],
    ['$$ROOT', 17276],
    [{ $dateToString: { date: '$n', onNull: 'x' } }, 9],
    [{ $dateToString: { date: 5 } }, 16006],
    [{ $dateToString: { date: new Date(0), timezone: 'Europe/Zurich' } }, 9],
    [{ $dateToString: { date: new Date(0), format: '%q' } }, 18536],
    [{ $dateToString: { date: new Date(0), zone: 'UTC' } }, 9],
  ]);

  it.each([
    ...['$abs', '$round', '$switch', '$let', '$map', '$filter', '$arrayElemAt', '$mergeObjects', '$toString'],
    ...[
      '$literal',
      '$add',
      '$multiply',
      '$divide',
      '$cmp',
      '$concat',
      '$toLower',
      '$toUpper',
      '$size',
      '$type',
    ],
    ...['$year', '$convert', '$regexMatch', '$reduce', '$substrCP', '$sum', '$max'],
    ...['$ne', '$gt', '$gte', '$lt', '$lte', '$and', '$or', '$not', '$ifNull'],
  ])('%s is refused by its name', (name) => {
    expect(failure(() => evaluate({ [name]: 1 }))).toEqual({
      code: 168,
      message: `Unrecognized expression '${name}': the embedded database does not have it`,
    });
  });
});
