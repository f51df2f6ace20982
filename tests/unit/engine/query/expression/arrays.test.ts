import { describe, expect, it } from 'vitest';
import { Double, type Document } from '#models/engine/values/types.ts';
import { evaluate, failure } from '../support.ts';

const DOC: Document = {
  l: [3, 1, 2],
  e: [],
  n: null,
  s: 'x',
  o: { a: 1, b: 'y' },
  d: [{ x: 2, y: 1 }, { x: 1 }, { x: 1, y: 5 }],
};

function cases(list: [spec: unknown, expected: unknown][]): void {
  it.each(list)('%o is %o', (spec, expected) => {
    expect(evaluate(spec, DOC)).toEqual(expected);
  });
}

function refuses(list: [spec: unknown, code: number, message?: string][]): void {
  it.each(list)('refuses %o with %i', (spec, code, message) => {
    const found = failure(() => evaluate(spec, DOC));
    expect(found.code).toBe(code);
    if (message !== undefined) expect(found.message).toBe(message);
  });
}

describe('elements', () => {
  cases([
    [{ $arrayElemAt: ['$l', 0] }, 3],
    [{ $arrayElemAt: ['$l', -1] }, 2],
    [{ $arrayElemAt: ['$l', 9] }, undefined],
    [{ $arrayElemAt: ['$l', -9] }, undefined],
    [{ $arrayElemAt: ['$l', new Double(1)] }, 1],
    [{ $arrayElemAt: ['$n', 0] }, null],
    [{ $arrayElemAt: ['$l', '$n'] }, null],
    [{ $first: '$l' }, 3],
    [{ $last: '$l' }, 2],
    [{ $first: '$e' }, undefined],
    [{ $last: '$nothing' }, null],
    [{ $first: [['a', 'b']] }, 'a'],
    [{ $size: '$l' }, 3],
    [{ $size: '$e' }, 0],
    [{ $isArray: '$l' }, true],
    [{ $isArray: '$s' }, false],
    [{ $isArray: ['$nothing'] }, false],
    [{ $in: [2, '$l'] }, true],
    [{ $in: [new Double(2), '$l'] }, true],
    [{ $in: [9, '$l'] }, false],
    [{ $in: ['$nothing', [null]] }, false],
  ]);

  refuses([
    [{ $arrayElemAt: [5, 0] }, 28689, "$arrayElemAt's argument must be an array, but is int"],
    [{ $arrayElemAt: ['$l', 'x'] }, 28690],
    [{ $arrayElemAt: ['$l', 1.5] }, 28691],
    [{ $first: 5 }, 28689, "$first's argument must be an array, but is int"],
    [{ $size: '$nothing' }, 17124, 'The argument to $size must be an array, but was of type: missing'],
    [{ $in: [1, '$s'] }, 40081, '$in requires an array as a second argument, found: string'],
  ]);
});

describe('parts', () => {
  cases([
    [{ $slice: ['$l', 2] }, [3, 1]],
    [{ $slice: ['$l', -2] }, [1, 2]],
    [{ $slice: ['$l', 0] }, []],
    [{ $slice: ['$l', -9] }, [3, 1, 2]],
    [{ $slice: ['$l', 1, 1] }, [1]],
    [{ $slice: ['$l', -1, 5] }, [2]],
    [{ $slice: ['$l', -9, 1] }, [3]],
    [{ $slice: ['$l', 9, 1] }, []],
    [{ $slice: ['$n', 1] }, null],
    [{ $slice: ['$l', 1, '$n'] }, null],
    [{ $concatArrays: ['$l', [9], '$e'] }, [3, 1, 2, 9]],
    [{ $concatArrays: ['$l', '$n'] }, null],
    [{ $concatArrays: [] }, []],
  ]);

  refuses([
    [{ $slice: ['$s', 1] }, 28724],
    [{ $slice: ['$l', 1.5] }, 28726],
    [{ $slice: ['$l', 1, 1.5] }, 28728],
    [{ $slice: ['$l', 1, 0] }, 28729],
    [{ $concatArrays: ['$l', 5] }, 28664],
  ]);
});
