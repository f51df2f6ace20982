import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues } from '#models/engine/query/compare.ts';
import { Double, type Document } from '#models/engine/values/types.ts';
import { number } from '../../values/arbitrary.ts';
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
    [{ $indexOfArray: ['$l', 2] }, 2],
    [{ $indexOfArray: ['$l', 9] }, -1],
    [{ $indexOfArray: ['$l', 3, 1] }, -1],
    [{ $indexOfArray: ['$l', 2, 0, 2] }, -1],
    [{ $indexOfArray: ['$l', 2, 0, 99] }, 2],
    [{ $indexOfArray: ['$n', 1] }, null],
  ]);

  refuses([
    [{ $arrayElemAt: [5, 0] }, 28689, "$arrayElemAt's first argument must be an array, but is int"],
    [{ $arrayElemAt: ['$l', 'x'] }, 28690],
    [{ $arrayElemAt: ['$l', 1.5] }, 28691],
    [{ $first: 5 }, 28689, "$first's argument must be an array, but is int"],
    [{ $size: '$nothing' }, 17124, 'The argument to $size must be an array, but was of type: missing'],
    [{ $in: [1, '$s'] }, 40081, '$in requires an array as a second argument, found: string'],
    [{ $indexOfArray: ['$s', 1] }, 40090],
    [{ $indexOfArray: ['$l', 1, -1] }, 40097],
    [{ $indexOfArray: ['$l', 1, 'x'] }, 40096],
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
    [{ $reverseArray: '$l' }, [2, 1, 3]],
    [{ $reverseArray: '$n' }, null],
    [{ $concatArrays: ['$l', [9], '$e'] }, [3, 1, 2, 9]],
    [{ $concatArrays: ['$l', '$n'] }, null],
    [{ $concatArrays: [] }, []],
    [{ $range: [0, 3] }, [0, 1, 2]],
    [{ $range: [3, 0, -2] }, [3, 1]],
    [{ $range: [0, 5, 2] }, [0, 2, 4]],
    [{ $range: [0, -3] }, []],
    [{ $range: [5, 1, 2] }, []],
    [{ $firstN: { n: 2, input: '$l' } }, [3, 1]],
    [{ $lastN: { n: 2, input: '$l' } }, [1, 2]],
    [{ $minN: { n: 2, input: '$l' } }, [1, 2]],
    [{ $maxN: { n: 5, input: [1, null, 5] } }, [5, 1]],
    [{ $maxN: { n: 1, input: '$n' } }, null],
  ]);

  refuses([
    [{ $slice: ['$s', 1] }, 28724],
    [{ $slice: ['$l', 'x'] }, 28725],
    [{ $slice: ['$l', 1.5] }, 28726],
    [{ $slice: ['$l', 1, 'x'] }, 28727],
    [{ $slice: ['$l', 1, 1.5] }, 28728],
    [{ $slice: ['$l', 1, 0] }, 28729],
    [{ $reverseArray: 5 }, 34435],
    [{ $concatArrays: ['$l', 5] }, 28664],
    [{ $range: ['x', 1] }, 34443],
    [{ $range: [0.5, 1] }, 34444],
    [{ $range: [0, 'x'] }, 34445],
    [{ $range: [0, 1.5] }, 34446],
    [{ $range: [0, 1, 'x'] }, 34447],
    [{ $range: [0, 1, 0.5] }, 34448],
    [{ $range: [0, 1, 0] }, 34449],
    [{ $range: [0, 2147483647] }, 146],
    [{ $firstN: { n: 0, input: '$l' } }, 5787908],
    [{ $firstN: { n: 1.5, input: '$l' } }, 5787903],
    [{ $firstN: { n: 'x', input: '$l' } }, 5787902],
    [{ $firstN: { n: 1, input: 5 } }, 5788200],
    [{ $firstN: { input: '$l' } }, 5787906],
    [{ $firstN: { n: 1 } }, 5787907],
    [{ $firstN: { n: 1, input: '$l', x: 1 } }, 5787901],
  ]);
});

describe('order', () => {
  cases([
    [{ $sortArray: { input: '$l', sortBy: 1 } }, [1, 2, 3]],
    [{ $sortArray: { input: '$l', sortBy: -1 } }, [3, 2, 1]],
    [{ $sortArray: { input: ['b', 2, null, 'a'], sortBy: 1 } }, [null, 2, 'a', 'b']],
    [{ $sortArray: { input: '$d', sortBy: { x: 1, y: -1 } } }, [{ x: 1, y: 5 }, { x: 1 }, { x: 2, y: 1 }]],
    [{ $sortArray: { input: '$n', sortBy: 1 } }, null],
  ]);

  refuses([
    [{ $sortArray: 1 }, 2942500],
    [{ $sortArray: { input: '$l', sortBy: 1, x: 1 } }, 2942501],
    [{ $sortArray: { sortBy: 1 } }, 2942502],
    [{ $sortArray: { input: '$l' } }, 2942503],
    [{ $sortArray: { input: 5, sortBy: 1 } }, 2942504],
    [{ $sortArray: { input: '$l', sortBy: { x: 2 } } }, 2942505],
    [{ $sortArray: { input: '$l', sortBy: 2 } }, 2942506],
    [{ $sortArray: { input: '$l', sortBy: 'x' } }, 2942507],
  ]);

  it('is that of values', () => {
    fc.assert(
      fc.property(fc.array(number), (list) => {
        const sorted = evaluate({ $sortArray: { input: { $literal: list }, sortBy: 1 } }) as unknown[];
        expect(sorted.length).toBe(list.length);
        for (let i = 1; i < sorted.length; i++)
          expect(compareValues(sorted[i - 1], sorted[i])).toBeLessThanOrEqual(0);
      }),
    );
  });
});
