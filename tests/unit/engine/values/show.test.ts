import { describe, expect, it } from 'vitest';
import {
  BSONRegExp,
  Binary,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from '#models/engine/values/types.ts';
import { showDocument, showValue } from '#models/engine/values/show.ts';

const id = new ObjectId('000102030405060708090a0b');

describe('values in messages', () => {
  it.each<[unknown, string]>([
    [1, '1'],
    [new Double(1), '1.0'],
    [new Double(-0), '-0.0'],
    [1.5, '1.5'],
    [1e21, '1e+21'],
    [NaN, 'nan.0'],
    [Infinity, 'inf.0'],
    [-Infinity, '-inf.0'],
    [Long.fromNumber(5), '5'],
    [Long.fromString('9007199254740993'), '9007199254740993'],
    ['a"b', '"a"b"'],
    [true, 'true'],
    [null, 'null'],
    [new Date(5), 'new Date(5)'],
    [id, "ObjectId('000102030405060708090a0b')"],
    [[], '[]'],
    [[1, 'a'], '[ 1, "a" ]'],
    [{}, '{}'],
    [{ a: { b: [1] } }, '{ a: { b: [ 1 ] } }'],
    [new Binary(Uint8Array.of(0xab, 1), 4), 'BinData(4, AB01)'],
    [Uint8Array.of(1), 'BinData(0, 01)'],
    [new BSONRegExp('a', 'i'), '/a/i'],
    [/b/m, '/b/m'],
    [new Timestamp({ t: 1, i: 2 }), 'Timestamp(1, 2)'],
    [new MinKey(), 'MinKey'],
    [new MaxKey(), 'MaxKey'],
  ])('%o', (value, expected) => {
    expect(showValue(value)).toBe(expected);
  });

  it('shows documents field by field', () => {
    expect(showDocument({ email: 'a@b', n: new Double(2) })).toBe('{ email: "a@b", n: 2.0 }');
  });
});
