import { describe, expect, it } from 'vitest';
import { ObjectId, type Document } from '#models/engine/values/types.ts';
import { evaluate, failure } from '../support.ts';

const id = new ObjectId('65e0a0000000000000000001');
const DOC: Document = { s: 'Hello', u: 'héllo 🌱!', n: null, i: 5, id };

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

describe('putting together and taking apart', () => {
  cases([
    [{ $concat: ['$s', ' ', 'x'] }, 'Hello x'],
    [{ $concat: ['$s', '$n'] }, null],
    [{ $concat: [] }, ''],
    [{ $substrCP: ['$u', 1, 2] }, 'él'],
    [{ $substrCP: ['$u', 6, 1] }, '🌱'],
    [{ $substrCP: ['$u', 99, 1] }, ''],
    [{ $substrCP: ['$n', 0, 1] }, ''],
    [{ $substrCP: ['$i', 0, 1] }, '5'],
    [{ $strLenCP: '$u' }, 8],
    [{ $strLenCP: '' }, 0],
  ]);

  refuses([
    [{ $concat: ['$s', 5] }, 16702, '$concat does not support int'],
    [{ $substrCP: ['$s', 0, -1] }, 34454],
    [{ $substrCP: ['$s', -1, 1] }, 34455],
    [{ $strLenCP: '$n' }, 34471, '$strLenCP requires a string argument, found: null'],
  ]);
});

describe('case and trimming', () => {
  cases([
    [{ $toLower: 'ÀBC' }, 'Àbc'],
    [{ $toUpper: 'àbc' }, 'àBC'],
    [{ $toUpper: '$n' }, ''],
    [{ $toUpper: '$nothing' }, ''],
    [{ $toLower: 5 }, '5'],
    [{ $toLower: new Date('2024-01-02T03:04:05.678Z') }, '2024-01-02t03:04:05.678z'],
  ]);

  refuses([[{ $toLower: [['a']] }, 16007]]);
});
