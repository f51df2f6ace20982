import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BSONRegExp, BSONSymbol, Code, ObjectId, type Document } from '#models/engine/values/types.ts';
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
    [{ $split: ['a,b,,c', ','] }, ['a', 'b', '', 'c']],
    [{ $split: ['abc', 'x'] }, ['abc']],
    [{ $split: ['', 'x'] }, ['']],
    [{ $split: ['$n', 'x'] }, null],
    [{ $substrCP: ['$u', 1, 2] }, 'él'],
    [{ $substrCP: ['$u', 6, 1] }, '🌱'],
    [{ $substrCP: ['$u', 99, 1] }, ''],
    [{ $substrCP: ['$n', 0, 1] }, ''],
    [{ $substrCP: ['$i', 0, 1] }, '5'],
    [{ $substrBytes: ['$u', 1, 2] }, 'é'],
    [{ $substrBytes: ['$s', 1, -1] }, 'ello'],
    [{ $substr: ['$s', 1, 3] }, 'ell'],
    [{ $substr: ['$s', 99, 3] }, ''],
    [{ $strLenCP: '$u' }, 8],
    [{ $strLenBytes: '$u' }, 12],
    [{ $strLenCP: '' }, 0],
    [{ $replaceOne: { input: 'aXbX', find: 'X', replacement: { $literal: '$&' } } }, 'a$&bX'],
    [{ $replaceOne: { input: 'abc', find: '', replacement: 'x' } }, 'xabc'],
    [{ $replaceAll: { input: 'aXbX', find: 'X', replacement: { $literal: '$1' } } }, 'a$1b$1'],
    [{ $replaceAll: { input: 'ab', find: '', replacement: '-' } }, '-a-b-'],
    [{ $replaceAll: { input: '$n', find: 'X', replacement: 'y' } }, null],
  ]);

  refuses([
    [{ $concat: ['$s', 5] }, 16702, '$concat only supports strings, not int'],
    [{ $split: [5, 'x'] }, 40085],
    [{ $split: ['a', 5] }, 40086],
    [{ $split: ['a', ''] }, 40087],
    [{ $substrCP: ['$s', 'x', 1] }, 34450],
    [{ $substrCP: ['$s', 0.5, 1] }, 34451],
    [{ $substrCP: ['$s', 0, 'x'] }, 34452],
    [{ $substrCP: ['$s', 0, 0.5] }, 34453],
    [{ $substrCP: ['$s', 0, -1] }, 34454],
    [{ $substrCP: ['$s', -1, 1] }, 34455],
    [{ $substrBytes: ['$s', 'x', 1] }, 16034],
    [{ $substrBytes: ['$s', 1, 'x'] }, 16035],
    [{ $substrBytes: ['$s', -1, 1] }, 50752],
    [{ $substrBytes: ['$u', 2, 1] }, 28656],
    [{ $substrBytes: ['$u', 0, 2] }, 28657],
    [{ $strLenCP: '$n' }, 34471, '$strLenCP requires a string argument, found: null'],
    [{ $strLenBytes: 5 }, 34473],
    [{ $replaceOne: 5 }, 51751],
    [{ $replaceOne: { input: 'a', find: 'b', replacement: 'c', x: 1 } }, 51750],
    [{ $replaceOne: { find: 'b', replacement: 'c' } }, 51749],
    [{ $replaceOne: { input: 'a', replacement: 'c' } }, 51748],
    [{ $replaceOne: { input: 'a', find: 'b' } }, 51747],
    [{ $replaceOne: { input: 5, find: 'b', replacement: 'c' } }, 51746],
    [{ $replaceOne: { input: 'a', find: 5, replacement: 'c' } }, 51745],
    [{ $replaceOne: { input: 'a', find: 'b', replacement: 5 } }, 51744],
  ]);

  it('split and joined again is the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ minLength: 1, maxLength: 2 }),
        (text, separator) => {
          const parts = { $split: [{ $literal: text }, { $literal: separator }] };
          const joined = {
            $reduce: {
              input: parts,
              initialValue: null,
              in: {
                $cond: [
                  { $eq: ['$$value', null] },
                  '$$this',
                  { $concat: ['$$value', { $literal: separator }, '$$this'] },
                ],
              },
            },
          };
          expect(evaluate(joined)).toBe(text);
        },
      ),
    );
  });
});

describe('finding', () => {
  cases([
    [{ $indexOfCP: ['$u', '🌱'] }, 6],
    [{ $indexOfCP: ['$u', 'x'] }, -1],
    [{ $indexOfCP: ['abcabc', 'c', 3] }, 5],
    [{ $indexOfCP: ['abcabc', 'c', 3, 5] }, -1],
    [{ $indexOfCP: ['', ''] }, 0],
    [{ $indexOfCP: ['abc', 'c', 5, 2] }, -1],
    [{ $indexOfCP: ['$n', 'x'] }, null],
    [{ $indexOfBytes: ['$u', '🌱'] }, 7],
    [{ $indexOfBytes: ['abcabc', 'c', 3] }, 5],
    [{ $indexOfBytes: ['abc', 'c', 5] }, -1],
    [{ $indexOfBytes: ['abc', 'c', 0, 2] }, -1],
    [{ $indexOfBytes: ['$n', 'x'] }, null],
    [{ $regexMatch: { input: '$s', regex: '^h', options: 'i' } }, true],
    [{ $regexMatch: { input: '$s', regex: /^x/ } }, false],
    [{ $regexMatch: { input: '$n', regex: 'x' } }, false],
    [{ $regexMatch: { input: '$s', regex: '$n' } }, false],
    [{ $regexFind: { input: '$u', regex: '(.)(x)?!' } }, { match: '🌱!', idx: 6, captures: ['🌱', null] }],
    [{ $regexFind: { input: '$s', regex: 'x' } }, null],
    [
      { $regexFindAll: { input: 'abab', regex: 'a(b)' } },
      [
        { match: 'ab', idx: 0, captures: ['b'] },
        { match: 'ab', idx: 2, captures: ['b'] },
      ],
    ],
    [
      { $regexFindAll: { input: '🌱a', regex: 'x*' } },
      [
        { match: '', idx: 0, captures: [] },
        { match: '', idx: 1, captures: [] },
      ],
    ],
    [{ $regexFindAll: { input: '', regex: 'x*' } }, [{ match: '', idx: 0, captures: [] }]],
    [{ $regexFindAll: { input: '$n', regex: 'x*' } }, []],
  ]);

  refuses([
    [{ $indexOfCP: [5, 'x'] }, 40093],
    [{ $indexOfCP: ['x', 5] }, 40094],
    [{ $indexOfCP: ['x', 'x', -1] }, 40097],
    [{ $indexOfBytes: [5, 'x'] }, 40091],
    [{ $indexOfBytes: ['x', 5] }, 40092],
    [{ $indexOfBytes: ['x', 'x', 'y'] }, 40096],
    [{ $regexMatch: 5 }, 51103],
    [{ $regexMatch: { input: 5, regex: 'x' } }, 51104],
    [{ $regexMatch: { input: 'x', regex: 5 } }, 51105],
    [{ $regexMatch: { input: 'x', regex: 'x', options: 5 } }, 51106],
    [{ $regexMatch: { input: 'x', regex: new BSONRegExp('x', 'i'), options: 'i' } }, 51107],
    [{ $regexMatch: { input: 'x', regex: 'x\0' } }, 51109],
    [{ $regexMatch: { regex: 'x' } }, 31022],
    [{ $regexMatch: { input: 'x' } }, 31023],
    [{ $regexMatch: { input: 'x', regex: 'x', y: 1 } }, 31024],
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
    [{ $strcasecmp: ['abc', 'ABC'] }, 0],
    [{ $strcasecmp: ['abc', 'ABD'] }, -1],
    [{ $strcasecmp: ['b', '$n'] }, 1],
    [{ $trim: { input: ' \t\u00a0a b\n ' } }, 'a b'],
    [{ $ltrim: { input: '  a ' } }, 'a '],
    [{ $rtrim: { input: ' a  ' } }, ' a'],
    [{ $trim: { input: 'xya🌱bxy🌱', chars: 'yx🌱' } }, 'a🌱b'],
    [{ $trim: { input: 'abc', chars: '' } }, 'abc'],
    [{ $trim: { input: '$n' } }, null],
    [{ $trim: { input: 'a', chars: '$n' } }, null],
  ]);

  refuses([
    [{ $toLower: [['a']] }, 16007],
    [{ $trim: 5 }, 50696],
    [{ $trim: { input: 'a', x: 1 } }, 50694],
    [{ $trim: { chars: 'a' } }, 50695],
    [{ $trim: { input: 5 } }, 50699, '$trim requires its input to be a string, got 5 (of type int) instead.'],
    [{ $trim: { input: 'a', chars: 5 } }, 50700],
  ]);

  it('takes symbols and code for text', () => {
    expect(evaluate({ $toUpper: { $literal: new BSONSymbol('a') } })).toBe('A');
    expect(evaluate({ $toUpper: { $literal: new Code('a') } })).toBe('A');
  });
});
