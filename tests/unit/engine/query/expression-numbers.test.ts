import { describe, expect, it } from 'vitest';
import { Double, Long } from '#models/engine/values/types.ts';
import { codeOf, evaluate, failure } from './support.ts';

const L = (n: number | string): Long => Long.fromString(String(n));
const D = (n: number): Double => new Double(n);

function cases(list: [spec: unknown, expected: unknown][]): void {
  it.each(list)('%o is %o', (spec, expected) => {
    expect(evaluate(spec, { n: null, s: 'x' })).toEqual(expected);
  });
}

function refuses(list: [spec: unknown, code: number, message: string][]): void {
  it.each(list)('refuses %o', (spec, code, message) => {
    expect(failure(() => evaluate(spec, { s: 'x' }))).toEqual({ code, message });
  });
}

describe('$subtract', () => {
  cases([
    [{ $subtract: [new Date(10), L(-4)] }, new Date(14)],
    [{ $subtract: [new Date(10), 4] }, new Date(6)],
    [{ $subtract: [new Date(10), 4.9] }, new Date(6)],
    [{ $subtract: ['$n', 1] }, null],
    [{ $subtract: [1, '$n'] }, null],
    [{ $subtract: [new Date(7), new Date(-3)] }, L(10)],
    [{ $subtract: [new Date(-8.64e15), new Date(8.64e15)] }, L('-17280000000000000')],
  ]);
  refuses([
    [{ $subtract: [5, 3] }, 115, '$subtract of int from int is not supported by the embedded engine'],
    [
      { $subtract: [3, new Date(1)] },
      115,
      '$subtract of date from int is not supported by the embedded engine',
    ],
    [{ $subtract: [new Date(1), L('9223372036854775807')] }, 15, 'date overflow in $subtract'],
    [{ $subtract: [1] }, 16020, 'Expression $subtract takes exactly 2 arguments. 1 were passed in.'],
  ]);
});

describe('$mod', () => {
  cases([
    [{ $mod: [7, 3] }, 1],
    [{ $mod: [-7, 3] }, -1],
    [{ $mod: [7, D(3)] }, 1],
    [{ $mod: [7, D(2 ** 31)] }, D(7)],
    [{ $mod: [7, D(-(2 ** 31))] }, 7],
    [{ $mod: [D(7), 3] }, D(1)],
    [{ $mod: [7.5, 2] }, 1.5],
    [{ $mod: [7, 2.5] }, D(2)],
    [{ $mod: [L(7), 3] }, L(1)],
    [{ $mod: ['$n', 3] }, null],
  ]);
  refuses([
    [{ $mod: [7, 0] }, 16610, "can't $mod by zero"],
    [{ $mod: [7, 'x'] }, 16611, '$mod only supports numeric types, not int and string'],
  ]);
});

it('refuses an unknown operator', () => {
  expect(codeOf(() => evaluate({ $plus: [1, 2] }))).toBe(168);
});
