import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '#models/engine/values/types.ts';
import { evaluate, failure, keysOf } from '../support.ts';

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
    [
      {
        $arrayToObject: [
          [
            ['a', 1],
            ['b', 2],
          ],
        ],
      },
      { a: 1, b: 2 },
    ],
    [
      {
        $arrayToObject: [
          [
            { k: 'a', v: 1 },
            { k: 'a', v: 2 },
          ],
        ],
      },
      { a: 2 },
    ],
    [{ $arrayToObject: '$e' }, {}],
    [{ $arrayToObject: '$n' }, null],
    [
      { $objectToArray: '$o' },
      [
        { k: 'a', v: 1 },
        { k: 'b', v: 'y' },
      ],
    ],
    [{ $objectToArray: '$n' }, null],
    [{ $mergeObjects: ['$o', { b: 2, c: 3 }, '$n'] }, { a: 1, b: 2, c: 3 }],
    [{ $mergeObjects: '$d' }, { x: 1, y: 5 }],
    [{ $mergeObjects: '$n' }, {}],
    [{ $getField: 'a' }, undefined],
    [{ $getField: { field: 'a', input: '$o' } }, 1],
    [{ $getField: { field: { $literal: '$x.y' }, input: { $literal: { '$x.y': 5 } } } }, 5],
    [{ $getField: { field: 'a', input: '$n' } }, null],
    [{ $getField: { field: 'a', input: '$s' } }, undefined],
    [{ $getField: { $literal: 's' } }, 'x'],
    [{ $setField: { field: 'a.b', input: '$o', value: 9 } }, { a: 1, b: 'y', 'a.b': 9 }],
    [{ $setField: { field: 'a', input: '$o', value: '$$REMOVE' } }, { b: 'y' }],
    [{ $setField: { field: 'a', input: '$n', value: 1 } }, null],
    [{ $unsetField: { field: 'a', input: '$o' } }, { b: 'y' }],
    [
      {
        $zip: {
          inputs: [
            [1, 2, 3],
            ['a', 'b'],
          ],
        },
      },
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      { $zip: { inputs: [[1, 2], ['a']], useLongestLength: true } },
      [
        [1, 'a'],
        [2, null],
      ],
    ],
    [
      { $zip: { inputs: [[1, 2], ['a']], useLongestLength: true, defaults: [0, 'z'] } },
      [
        [1, 'a'],
        [2, 'z'],
      ],
    ],
    [{ $zip: { inputs: [[1], '$n'] } }, null],
    [{ $binarySize: 'é' }, 2],
    [{ $bsonSize: '$o' }, 21],
    [{ $bsonSize: '$n' }, null],
  ]);

  refuses([
    [{ $arrayToObject: 5 }, 40386],
    [{ $arrayToObject: [[1]] }, 40398],
    [{ $arrayToObject: [[['a', 1], 5]] }, 40396],
    [{ $arrayToObject: [[['a']]] }, 40397],
    [{ $arrayToObject: [[[1, 2]]] }, 40395],
    [{ $arrayToObject: [[{ k: 'a', v: 1 }, 5]] }, 40391],
    [{ $arrayToObject: [[{ k: 'a' }]] }, 40392],
    [{ $arrayToObject: [[{ k: 'a', w: 1 }]] }, 40393],
    [{ $arrayToObject: [[{ k: 1, v: 1 }]] }, 40394],
    [{ $arrayToObject: [[['a\0', 1]]] }, 4940400],
    [{ $objectToArray: 5 }, 40390],
    [{ $mergeObjects: ['$o', 5] }, 40400],
    [{ $getField: { field: '$a', input: '$o' } }, 5654600],
    [{ $getField: { field: { $concat: ['a', 'b'] }, input: '$o' } }, 5654601],
    [{ $getField: { field: 5, input: '$o' } }, 5654602],
    [{ $getField: { field: 'a' } }, 3041703],
    [{ $getField: { input: '$o' } }, 3041702],
    [{ $getField: { field: 'a', input: '$o', x: 1 } }, 3041701],
    [{ $setField: { field: 'a', input: 5, value: 1 } }, 4161105],
    [{ $setField: { field: 'a', input: '$o' } }, 4161103],
    [{ $setField: { input: '$o', value: 1 } }, 4161102],
    [{ $setField: { field: 'a', value: 1 } }, 4161109],
    [{ $setField: 5 }, 4161100],
    [{ $unsetField: { field: 'a', input: '$o', value: 1 } }, 4161101],
    [{ $zip: 5 }, 34460],
    [{ $zip: { inputs: 5 } }, 34461],
    [{ $zip: { inputs: [[1]], defaults: 5 } }, 34462],
    [{ $zip: { inputs: [[1]], useLongestLength: 5 } }, 34463],
    [{ $zip: { x: 5 } }, 34464],
    [{ $zip: { inputs: [] } }, 34465],
    [{ $zip: { inputs: [[1]], defaults: [1] } }, 34466],
    [{ $zip: { inputs: [[1]], useLongestLength: true, defaults: [1, 2] } }, 34467],
    [{ $zip: { inputs: [5] } }, 34468],
    [{ $binarySize: 5 }, 51276],
    [{ $bsonSize: 5 }, 31393],
  ]);

  it('make harmless fields of dangerous names', () => {
    const result = evaluate({ $arrayToObject: [[['__proto__', { admin: true }]]] }) as Document;
    expect(keysOf(result)).toEqual(['__proto__']);
    expect((result as { admin?: boolean }).admin).toBeUndefined();
    const merged = evaluate({
      $mergeObjects: [{ $literal: JSON.parse('{"__proto__": {"admin": true}}') as Document }],
    }) as Document;
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });

  it('come back from the other form', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.integer()), (doc) => {
        fc.pre(!Object.keys(doc).some((key) => key.includes('\0')));
        expect(evaluate({ $arrayToObject: { $objectToArray: { $literal: doc } } })).toEqual({ ...doc });
      }),
    );
  });
});
