import { describe, expect, it } from 'vitest';
import { Double, Long, type Document } from '#models/engine/values/types.ts';
import { evaluate } from '../support.ts';

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

describe('accumulators over operands', () => {
  cases([
    [{ $sum: '$l' }, 6],
    [{ $sum: ['$l', 5] }, 5],
    [{ $sum: [1, 2, 'x', '$n'] }, 3],
    [{ $sum: '$nothing' }, 0],
    [{ $sum: [2147483647, 1] }, Long.fromNumber(2147483648)],
    [{ $sum: [0.1, 0.2, 0.3] }, 0.6],
    [{ $avg: '$l' }, new Double(2)],
    [{ $avg: ['x'] }, null],
    [{ $min: '$l' }, 1],
    [{ $max: ['$l', 9] }, [3, 1, 2]],
    [{ $max: [1, '$n', 5] }, 5],
    [{ $min: ['$n', '$nothing'] }, null],
  ]);
});
