import { describe, expect, it } from 'vitest';
import type { Document } from '#models/engine/values/types.ts';
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

describe('arrays and documents', () => {
  cases([
    [{ $mergeObjects: ['$o', { b: 2, c: 3 }, '$n'] }, { a: 1, b: 2, c: 3 }],
    [{ $mergeObjects: '$d' }, { x: 1, y: 5 }],
    [{ $mergeObjects: '$n' }, {}],
  ]);

  refuses([[{ $mergeObjects: ['$o', 5] }, 40400]]);
});
