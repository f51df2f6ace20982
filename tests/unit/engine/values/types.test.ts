import { UUID } from 'bson';
import { describe, expect, it } from 'vitest';
import { cloneValue, depthOf } from '#models/engine/values/clone.ts';
import { isIndex } from '#models/engine/query/extract.ts';
import {
  BSONRegExp,
  Binary,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  getField,
  isDocument,
  isNumeric,
  regexParts,
  setField,
  typeNameOf,
  type Document,
} from '#models/engine/values/types.ts';

class Odd {}

describe('the type of a value', () => {
  it.each<[unknown, string]>([
    [1, 'int'],
    [-2147483648, 'int'],
    [2147483648, 'double'],
    [-0, 'double'],
    [1.5, 'double'],
    [NaN, 'double'],
    [new Double(1), 'double'],
    [new Int32(1), 'int'],
    [Long.fromNumber(1), 'long'],
    [1n, 'long'],
    ['', 'string'],
    [{}, 'object'],
    [Object.create(null), 'object'],
    [new Odd(), 'object'],
    [[], 'array'],
    [new Binary(Uint8Array.of(1)), 'binData'],
    [new UUID('00000000-0000-4000-8000-000000000000'), 'binData'],
    [Uint8Array.of(1), 'binData'],
    [Buffer.from('a'), 'binData'],
    [new ObjectId(), 'objectId'],
    [true, 'bool'],
    [new Date(0), 'date'],
    [null, 'null'],
    [/a/, 'regex'],
    [new BSONRegExp('a'), 'regex'],
    [new Timestamp({ t: 1, i: 1 }), 'timestamp'],
    [new MinKey(), 'minKey'],
    [new MaxKey(), 'maxKey'],
    [undefined, 'missing'],
    [() => 1, 'missing'],
    [Symbol('a'), 'missing'],
  ])('%o is %s', (value, name) => {
    expect(typeNameOf(value)).toBe(name);
  });

  it('is not determined by a field that claims it', () => {
    expect(typeNameOf({ _bsontype: 'Long', low: 1, high: 0 })).toBe('object');
    expect(isDocument(JSON.parse('{"__proto__": []}'))).toBe(true);
  });

  it('tells numbers and documents', () => {
    expect([1, 1.5, new Double(1), Long.ONE].every(isNumeric)).toBe(true);
    expect(['1', null, true, new Date(0), {}].some(isNumeric)).toBe(false);
    expect([[], null, new Date(0), new ObjectId(), 'a'].some(isDocument)).toBe(false);
  });
});

describe('fields', () => {
  it('are own fields only', () => {
    expect(getField({ a: 1 }, 'a')).toBe(1);
    expect(getField({}, 'toString')).toBeUndefined();
    expect(getField({}, '__proto__')).toBeUndefined();
  });

  it('named __proto__ are like others', () => {
    const doc: Document = {};
    setField(doc, '__proto__', { admin: true });
    expect(getField(doc, '__proto__')).toEqual({ admin: true });
    expect(Object.getPrototypeOf(doc)).toBe(Object.prototype);
    expect(Object.keys(cloneValue(doc))).toEqual(['__proto__']);
  });
});

describe('paths', () => {
  it.each(['0', '7', '10', '123456789'])('take %s for an index', (part) => {
    expect(isIndex(part)).toBe(true);
  });

  it.each(['', '00', '01', '-1', '1.5', 'a', '1a', '12345678901'])('do not take %j for an index', (part) => {
    expect(isIndex(part)).toBe(false);
  });
});

describe('other questions', () => {
  it('how deep a value is', () => {
    expect(depthOf(1)).toBe(0);
    expect(depthOf({})).toBe(1);
    expect(depthOf({ a: [{ b: 1 }] })).toBe(3);
    expect(depthOf([new Date(), null, 'x'])).toBe(1);
  });

  it('what a regular expression consists of', () => {
    expect(regexParts(new BSONRegExp('a', 'mi'))).toEqual({ pattern: 'a', options: 'im' });
    expect(regexParts(/b/gi)).toEqual({ pattern: 'b', options: 'i' });
    expect(() => regexParts('a')).toThrow(TypeError);
  });
});
