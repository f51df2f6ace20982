import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDouble } from '#models/engine/values/arithmetic.ts';
import {
  Binary,
  Double,
  Long,
  MaxKey,
  ObjectId,
  Timestamp,
  type Document,
} from '#models/engine/values/types.ts';
import { dec } from '../../values/arbitrary.ts';
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

describe('conversion', () => {
  cases([
    [{ $toString: 5 }, '5'],
    [{ $toString: 2.5 }, '2.5'],
    [{ $toString: new Double(2) }, '2'],
    [{ $toString: 1e21 }, '1e+21'],
    [{ $toString: Long.fromString('9007199254740993') }, '9007199254740993'],
    [{ $toString: dec('1.50') }, '1.50'],
    [{ $toString: true }, 'true'],
    [{ $toString: '$id' }, '65e0a0000000000000000001'],
    [{ $toString: new Date(0) }, '1970-01-01T00:00:00.000Z'],
    [{ $toString: '$n' }, null],
    [{ $toInt: '12' }, 12],
    [{ $toInt: '-12' }, -12],
    [{ $toInt: 2.9 }, 2],
    [{ $toInt: dec('-2.9') }, -2],
    [{ $toInt: true }, 1],
    [{ $toInt: Long.fromNumber(7) }, 7],
    [{ $toLong: '12' }, Long.fromNumber(12)],
    [{ $toLong: 5 }, Long.fromNumber(5)],
    [{ $toLong: new Date(7) }, Long.fromNumber(7)],
    [{ $toDouble: '1.5e2' }, new Double(150)],
    [{ $toDouble: 5 }, new Double(5)],
    [{ $toDouble: dec('1.5') }, 1.5],
    [{ $toDouble: false }, new Double(0)],
    [{ $toDouble: new Date(7) }, new Double(7)],
    [{ $toDouble: '-inf' }, -Infinity],
    [{ $toBool: 'false' }, true],
    [{ $toBool: 0 }, false],
    [{ $toBool: dec('0') }, false],
    [{ $toBool: new Date(0) }, true],
    [{ $toBool: '$n' }, null],
    [{ $toObjectId: '65e0a0000000000000000001' }, id],
    [{ $toObjectId: '$id' }, id],
    [{ $toDate: 1.9 }, new Date(1)],
    [{ $toDate: Long.fromNumber(5) }, new Date(5)],
    [{ $toDate: '2024-01-02' }, new Date('2024-01-02T00:00:00Z')],
    [{ $toDate: '$id' }, id.getTimestamp()],
    [{ $toDate: new Timestamp({ t: 5, i: 1 }) }, new Date(5000)],
    [{ $type: '$s' }, 'string'],
    [{ $type: '$nothing' }, 'missing'],
    [{ $type: { $literal: new MaxKey() } }, 'maxKey'],
    [{ $isNumber: dec('1') }, true],
    [{ $isNumber: '1' }, false],
  ]);

  it.each<[unknown, string]>([])('%o is the decimal %s', (spec, expected) => {
    expect(String(evaluate(spec))).toBe(expected);
  });

  refuses([
    [{ $toInt: 'x' }, 241, "Failed to parse number 'x' in $convert with no onError value"],
    [{ $toInt: '' }, 241],
    [{ $toInt: '1.5' }, 241],
    [{ $toInt: '2147483648' }, 241],
    [
      { $toInt: 2147483648 },
      241,
      'Conversion of 2147483648 would overflow the target type in $convert with no onError value',
    ],
    [{ $toInt: NaN }, 241],
    [{ $toInt: Infinity }, 241],
    [
      { $toInt: new Date(1) },
      241,
      'Unsupported conversion from date to a whole number in $convert with no onError value',
    ],
    [{ $toLong: '9223372036854775808' }, 241],
    [{ $toLong: 1e19 }, 241],
    [{ $toDouble: '0x1F' }, 241],
    [{ $toDouble: '1e999' }, 241],
    [{ $toDouble: dec('1E+999') }, 241],
    [{ $toObjectId: 'xyz' }, 241],
    [{ $toObjectId: 'zzzzzzzzzzzzzzzzzzzzzzzz' }, 241],
    [{ $toObjectId: 5 }, 241],
    [{ $toDate: 5 }, 241, 'Unsupported conversion from int to date in $convert with no onError value'],
    [{ $toDate: 'soon' }, 115],
    [{ $toDate: '2024-02-30' }, 241],
    [{ $toString: [[1]] }, 241],
    [{ $toString: new Binary(Uint8Array.of(1)) }, 241],
    [{ $toInt: [1, 2] }, 16020],
  ]);

  it('of a number to text and back is the number, to 16 digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        expect(Number(evaluate({ $toString: { $literal: makeDouble(x) } })) + 0).toBe(
          (Number.isFinite(x) ? Number(x.toPrecision(16)) : x) + 0,
        );
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        const text = evaluate({ $toString: { $literal: Long.fromBigInt(n) } });
        expect(text).toBe(String(n));
        expect(evaluate({ $toLong: { $literal: text } })).toEqual(Long.fromBigInt(n));
      }),
    );
  });

  it.each<[number, string]>([
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.3333333333333333'],
    [100, '100'],
    [1e15, '1000000000000000'],
    [1e16, '1e+16'],
    [1.5e-5, '1.5e-05'],
    [0.0001, '0.0001'],
    [-0, '-0'],
    [0, '0'],
    [-1234.5, '-1234.5'],
  ])('%d is written %s', (x, expected) => {
    expect(evaluate({ $toString: { $literal: makeDouble(x) } })).toBe(expected);
  });
});
