import { describe, expect, it } from 'vitest';
import type { Document } from '#models/engine/values/types.ts';
import { codeOf, evaluate, failure } from '../support.ts';

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

describe('variables', () => {
  cases([
    [{ $let: { vars: { x: 5, y: '$a' }, in: { $add: ['$$x', '$$y'] } } }, 6],
    [{ $let: { vars: { x: { b: 1 } }, in: '$$x.b' } }, 1],
    [{ $let: { vars: { x: 1 }, in: { $let: { vars: { x: 2, y: '$$x' }, in: ['$$x', '$$y'] } } } }, [2, 1]],
    [{ $map: { input: '$l.b', as: 'v', in: { $add: ['$$v', 10] } } }, [11, 12]],
    [{ $map: { input: '$l.b', in: '$$this' } }, [1, 2]],
    [{ $map: { input: [1, 2], as: 'v', in: '$nothing' } }, [null, null]],
    [{ $map: { input: '$n', in: '$$this' } }, null],
    [{ $map: { input: [], in: '$$this' } }, []],
    [
      {
        $map: {
          input: [[1, 2], [3]],
          as: 'o',
          in: { $map: { input: '$$o', as: 'i', in: { $multiply: ['$$i', '$a'] } } },
        },
      },
      [[1, 2], [3]],
    ],
    [{ $filter: { input: [1, 2, 3], as: 'v', cond: { $gt: ['$$v', 1] } } }, [2, 3]],
    [{ $filter: { input: '$nothing', cond: true } }, null],
  ]);

  refuses([
    [{ $let: { vars: 1, in: 1 } }, 10065],
    [{ $let: { vars: { X: 1 }, in: 1 } }, 16867],
    [{ $let: { vars: { x: 1 }, in: '$$y' } }, 17276],
    [{ $map: { input: 5, in: 1 } }, 16883],
    [{ $filter: { input: 5, cond: 1 } }, 28651],
  ]);

  it('do not leak out of where they are bound', () => {
    expect(codeOf(() => evaluate({ $add: [{ $let: { vars: { x: 1 }, in: '$$x' } }, '$$x'] }))).toBe(17276);
  });
});
