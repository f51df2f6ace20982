import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

describe('sets', () => {
  cases([
    [
      {
        $setUnion: [
          [3, 1],
          [2, 1],
        ],
      },
      [1, 2, 3],
    ],
    [{ $setUnion: [[1], [new Double(1)]] }, [1]],
    [{ $setUnion: [[1], '$n'] }, null],
    [{ $setUnion: [] }, []],
    [
      {
        $setIntersection: [
          [3, 1, 2],
          [2, 3],
        ],
      },
      [2, 3],
    ],
    [{ $setIntersection: [[1], '$nothing'] }, null],
    [{ $setDifference: [[3, 1, 1, 2], [2]] }, [3, 1]],
    [{ $setDifference: ['$n', [2]] }, null],
    [
      {
        $setEquals: [
          [1, 2],
          [2, 1, 1],
        ],
      },
      true,
    ],
    [{ $setEquals: [[1, 2], [1]] }, false],
    [{ $setEquals: [[1], [1], [2]] }, false],
    [
      {
        $setIsSubset: [
          [1, 1],
          [1, 2],
        ],
      },
      true,
    ],
    [{ $setIsSubset: [[3], [1, 2]] }, false],
    [{ $setIsSubset: [[], [1]] }, true],
    [{ $allElementsTrue: [[1, true, 'x']] }, true],
    [{ $allElementsTrue: [[1, 0]] }, false],
    [{ $allElementsTrue: [[]] }, true],
    [{ $anyElementTrue: [[0, null, 5]] }, true],
    [{ $anyElementTrue: [[0, null]] }, false],
  ]);

  refuses([
    [{ $setUnion: [[1], 5] }, 17043],
    [{ $setIntersection: [[1], 5] }, 17047],
    [{ $setDifference: [5, [1]] }, 17048],
    [{ $setDifference: [[1], 5] }, 17049],
    [{ $setEquals: [[1]] }, 17045],
    [
      { $setEquals: [[1], 5] },
      17044,
      'All operands of $setEquals must be arrays. 2-th argument is of type: int',
    ],
    [{ $setIsSubset: [5, [1]] }, 17046],
    [{ $setIsSubset: [[1], 5] }, 17042],
    [{ $allElementsTrue: '$n' }, 17040],
    [{ $anyElementTrue: '$n' }, 17041],
  ]);

  it('obey the laws of sets', () => {
    const lists = fc.array(number, { maxLength: 6 });
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const [x, y] = [{ $literal: a }, { $literal: b }];
        const both = { $setIntersection: [x, y] };
        const size = (set: unknown): number => evaluate({ $size: set }) as number;
        expect(size({ $setUnion: [x, y] }) + size(both)).toBe(
          size({ $setUnion: [x] }) + size({ $setUnion: [y] }),
        );
        expect(evaluate({ $setIsSubset: [both, x] })).toBe(true);
        expect(evaluate({ $setEquals: [{ $setUnion: [x, y] }, { $setUnion: [y, x] }] })).toBe(true);
        expect(size({ $setIntersection: [{ $setDifference: [x, y] }, y] })).toBe(0);
      }),
    );
  });
});
