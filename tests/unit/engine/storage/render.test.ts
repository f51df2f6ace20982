import { describe, expect, it } from 'vitest';
import { renderDocument, renderValue } from '#models/engine/storage/catalog/render.ts';
import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  BsonUndefined,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from '#models/engine/values/types.ts';

describe('values in messages', () => {
  it.each<[unknown, string]>([
    ['a', '"a"'],
    [1, '1'],
    [1.5, '1.5'],
    [new Double(1), '1.0'],
    [new Int32(4), '4'],
    [2 ** 40, '1099511627776.0'],
    [Long.fromNumber(7), '7'],
    [Decimal128.fromString('1.10'), '1.10'],
    [true, 'true'],
    [null, 'null'],
    [new Date(5), 'new Date(5)'],
    [new ObjectId('0123456789abcdef01234567'), "ObjectId('0123456789abcdef01234567')"],
    [[1, 'a'], '[ 1, "a" ]'],
    [{}, '{}'],
    [{ a: 1, b: { c: 'x' } }, '{ a: 1, b: { c: "x" } }'],
    [new Binary(Buffer.from('ab', 'hex'), 4), 'BinData(4, AB)'],
    [new Timestamp({ t: 3, i: 4 }), 'Timestamp(3, 4)'],
    [new BSONRegExp('^a', 'i'), '/^a/i'],
    [new BSONSymbol('s'), '"s"'],
    [new MinKey(), 'MinKey'],
    [new MaxKey(), 'MaxKey'],
    [BsonUndefined.instance, 'undefined'],
  ])('%s', (value, text) => {
    expect(renderValue(value)).toBe(text);
  });

  it('stand in documents under their names', () => {
    expect(renderDocument({ email: 'a', n: null })).toBe('{ email: "a", n: null }');
  });
});
