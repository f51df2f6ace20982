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
  type Document,
} from '#models/engine/values/types.ts';
import { failure, matches } from './support.ts';

const big = Long.fromString('9007199254740993');
const id = new ObjectId('000102030405060708090a0b');
const other = new ObjectId('000102030405060708090a0c');

type Case = [filter: Document, doc: Document, expected: boolean];

function cases(list: Case[]): void {
  it.each(list)('%o on %o: %s', (filter, doc, expected) => {
    expect(matches(filter, doc)).toBe(expected);
  });
}

describe('equality', () => {
  cases([
    [{}, { a: 1 }, true],
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, {}, false],
    [{ a: 1 }, { a: new Double(1) }, true],
    [{ a: new Double(1) }, { a: Long.fromNumber(1) }, true],
    [{ a: big }, { a: 9007199254740992 }, false],
    [{ a: big }, { a: big }, true],
    [{ a: NaN }, { a: NaN }, true],
    [{ a: NaN }, { a: 1 }, false],
    [{ a: 0 }, { a: -0 }, true],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: 1 }, { a: true }, false],
    [{ a: 'x' }, { a: 'x' }, true],
    [{ a: 'x' }, { a: 'X' }, false],
    [{ a: true }, { a: true }, true],
    [{ a: true }, { a: false }, false],
    [{ a: id }, { a: new ObjectId(id.toHexString()) }, true],
    [{ a: id }, { a: other }, false],
    [{ a: id }, { a: id.toHexString() }, false],
    [{ a: new Date(5) }, { a: new Date(5) }, true],
    [{ a: new Date(5) }, { a: new Date(6) }, false],
    [{ a: new Date(5) }, { a: new Timestamp({ t: 0, i: 5 }) }, false],
    [{ a: new Binary(Uint8Array.of(1)) }, { a: new Binary(Uint8Array.of(1)) }, true],
    [{ a: new Binary(Uint8Array.of(1)) }, { a: new Binary(Uint8Array.of(1), 4) }, false],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }, true],
    [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, false],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, false],
    [{ a: { b: new Double(1) } }, { a: { b: 1 } }, true],
    [{ a: {} }, { a: {} }, true],
    [{ a: {} }, { a: { b: 1 } }, false],
    [{ a: { $eq: 1 } }, { a: 1 }, true],
    [{ a: { $eq: { b: 1 } } }, { a: { b: 1 } }, true],
    [{ a: { $eq: new BSONRegExp('x') } }, { a: 'x' }, false],
    [{ a: { $eq: new BSONRegExp('x') } }, { a: new BSONRegExp('x') }, true],
    [{ a: new MinKey() }, { a: new MinKey() }, true],
    [{ a: new MinKey() }, { a: 1 }, false],
    [{ a: { $ref: 'c', $id: 1 } }, { a: { $ref: 'c', $id: 1 } }, true],
    [{ constructor: 1 }, {}, false],
    [{ toString: { $exists: true } }, {}, false],
    [{ 'a.constructor': { $exists: true } }, { a: {} }, false],
    [JSON.parse('{"__proto__": 1}') as Document, JSON.parse('{"__proto__": 1}') as Document, true],
    [JSON.parse('{"__proto__": {"$exists": true}}') as Document, {}, false],
  ]);
});

describe('null', () => {
  cases([
    [{ a: null }, { a: null }, true],
    [{ a: null }, {}, true],
    [{ a: null }, { a: 0 }, false],
    [{ a: null }, { a: [] }, false],
    [{ a: null }, { a: [1, null] }, true],
    [{ a: { $ne: null } }, {}, false],
    [{ a: { $ne: null } }, { a: 0 }, true],
    [{ a: { $gte: null } }, {}, true],
    [{ a: { $gte: null } }, { a: null }, true],
    [{ a: { $gte: null } }, { a: 1 }, false],
    [{ a: { $lte: null } }, {}, true],
    [{ a: { $gt: null } }, { a: null }, false],
    [{ a: { $in: [null] } }, {}, true],
    [{ a: { $nin: [null] } }, {}, false],
    [{ 'a.b': null }, { a: 5 }, true],
    [{ 'a.b': null }, { a: {} }, true],
    [{ 'a.b': null }, {}, true],
    [{ 'a.b': null }, { a: [] }, false],
    [{ 'a.b': null }, { a: [1, 2] }, false],
    [{ 'a.b': null }, { a: [{ b: 1 }] }, false],
    [{ 'a.b': null }, { a: [{ b: 1 }, {}] }, true],
    [{ 'a.b': null }, { a: [1, {}] }, true],
    [{ 'a.b.c': null }, { a: { b: 3 } }, true],
  ]);
});

describe('order', () => {
  cases([
    [{ a: { $gt: 1 } }, { a: 2 }, true],
    [{ a: { $gt: 1 } }, { a: 1 }, false],
    [{ a: { $gte: 1 } }, { a: new Double(1) }, true],
    [{ a: { $lt: 1 } }, { a: 0.5 }, true],
    [{ a: { $lte: 1 } }, { a: 1 }, true],
    [{ a: { $lte: 1 } }, { a: 2 }, false],
    [{ a: { $gt: 1 } }, { a: 'x' }, false],
    [{ a: { $gt: 1 } }, {}, false],
    [{ a: { $lt: 1 } }, { a: null }, false],
    [{ a: { $gt: 9007199254740992 } }, { a: big }, true],
    [{ a: { $gt: big } }, { a: 9007199254740992 }, false],
    [{ a: { $gt: NaN } }, { a: 1 }, false],
    [{ a: { $gte: NaN } }, { a: NaN }, true],
    [{ a: { $lte: NaN } }, { a: NaN }, true],
    [{ a: { $lt: 1 } }, { a: NaN }, false],
    [{ a: { $gt: 'b' } }, { a: 'c' }, true],
    [{ a: { $gt: 'b' } }, { a: 'B' }, false],
    [{ a: { $gt: '\uffff' } }, { a: '\u{10000}' }, true],
    [{ a: { $gt: new Date(1) } }, { a: new Date(2) }, true],
    [{ a: { $lte: new Date(1) } }, { a: new Date(1) }, true],
    [{ a: { $gt: new Date(1) } }, { a: 2 }, false],
    [{ a: { $gt: id } }, { a: other }, true],
    [{ a: { $lt: true } }, { a: false }, true],
    [{ a: { $gt: { b: 1 } } }, { a: { b: 2 } }, true],
    [{ a: { $gt: { b: 1 } } }, { a: { a: 9 } }, false],
    [{ a: { $gt: [1] } }, { a: [1, 2] }, true],
    [{ a: { $gt: [1] } }, { a: 5 }, false],
    [{ a: { $gt: new MinKey() } }, { a: 1 }, true],
    [{ a: { $gte: new MinKey() } }, {}, true],
    [{ a: { $lt: new MinKey() } }, { a: 1 }, false],
    [{ a: { $lt: new MaxKey() } }, { a: 'x' }, true],
    [{ a: { $gt: new MaxKey() } }, { a: 'x' }, false],
    [{ a: { $gt: 1, $lt: 3 } }, { a: 2 }, true],
    [{ a: { $gt: 1, $lt: 3 } }, { a: 3 }, false],
  ]);
});

describe('arrays', () => {
  cases([
    [{ a: 1 }, { a: [1, 2] }, true],
    [{ a: 3 }, { a: [1, 2] }, false],
    [{ a: [1, 2] }, { a: [1, 2] }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: [1] }, { a: [[1], 2] }, true],
    [{ a: [] }, { a: [] }, true],
    [{ a: 1 }, { a: [[1]] }, false],
    [{ a: { $ne: 1 } }, { a: [1, 2] }, false],
    [{ a: { $gt: 1, $lt: 3 } }, { a: [0, 5] }, true],
    [{ 'a.0': 1 }, { a: [1, 2] }, true],
    [{ 'a.1': 1 }, { a: [1, 2] }, false],
    [{ 'a.2': { $exists: true } }, { a: [1, 2] }, false],
    [{ 'a.00': 1 }, { a: [1, 2] }, false],
    [{ 'a.0': 5 }, { a: { 0: 5 } }, true],
    [{ 'a.0': 5 }, { a: [{ 0: 5 }] }, true],
    [{ 'a.b': 1 }, { a: { b: 1 } }, true],
    [{ 'a.b': 1 }, { a: [{ b: 2 }, { b: 1 }] }, true],
    [{ 'a.b': 1 }, { a: [{ b: [3, 1] }] }, true],
    [{ 'a.b': 1 }, { a: [[{ b: 1 }]] }, false],
    [{ 'a.0.b': 1 }, { a: [[{ b: 1 }]] }, true],
    [{ 'a.0.b': 1 }, { a: [{ b: 1 }, { b: 2 }] }, true],
    [{ 'a.1.b': 1 }, { a: [{ b: 1 }, { b: 2 }] }, false],
    [{ 'a.b.c': 1 }, { a: [{ b: { c: 1 } }] }, true],
    [{ 'a.b.c': 1 }, { a: [{ b: [{ c: 2 }, { c: 1 }] }] }, true],
    [{ 'a.b': [1] }, { a: [{ b: [1] }] }, true],
    [{ 'a.b': { $gt: 1 } }, { a: [{ b: 1 }, { b: 2 }] }, true],
    [{ 'a.0': 1 }, { a: [[1, 2]] }, false],
    [{ 'a.0': [1, 2] }, { a: [[1, 2]] }, true],
    [{ 'a.0.1': 2 }, { a: [[1, 2]] }, true],
  ]);
});

describe('membership', () => {
  cases([
    [{ a: { $in: [1, 2] } }, { a: 2 }, true],
    [{ a: { $in: [1, 2] } }, { a: 3 }, false],
    [{ a: { $in: [] } }, { a: 1 }, false],
    [{ a: { $nin: [] } }, { a: 1 }, true],
    [{ a: { $in: ['x'] } }, { a: 'x' }, true],
    [{ a: { $in: [id] } }, { a: new ObjectId(id.toHexString()) }, true],
    [{ a: { $in: [new Double(1)] } }, { a: 1 }, true],
    [{ a: { $in: [1] } }, { a: Long.fromNumber(1) }, true],
    [{ a: { $in: [big] } }, { a: big }, true],
    [{ a: { $in: [9007199254740992] } }, { a: big }, false],
    [{ a: { $in: [NaN] } }, { a: NaN }, true],
    [{ a: { $in: [new Date(1)] } }, { a: new Date(1) }, true],
    [{ a: { $in: [{ b: 1 }] } }, { a: { b: 1 } }, true],
    [{ a: { $in: [[1, 2]] } }, { a: [1, 2] }, true],
    [{ a: { $in: [2] } }, { a: [1, 2] }, true],
    [{ a: { $in: [/^x/, 5] } }, { a: 'xy' }, true],
    [{ a: { $in: [/^x/, 5] } }, { a: 5 }, true],
    [{ a: { $in: [/^x/] } }, { a: 'y' }, false],
    [{ a: { $nin: [/^x/] } }, { a: 'y' }, true],
    [{ a: { $nin: [1] } }, { a: [1, 2] }, false],
    [{ a: { $nin: [1] } }, {}, true],
    [{ 'a.b': { $in: [1] } }, { a: [{ b: 1 }] }, true],
  ]);

  it('refuses anything but a list, and operators in it', () => {
    expect(failure(() => matches({ a: { $in: 1 } }, {}))).toEqual({ code: 2, message: '$in needs an array' });
    expect(failure(() => matches({ a: { $nin: {} } }, {}))).toEqual({
      code: 2,
      message: '$nin needs an array',
    });
    expect(failure(() => matches({ a: { $in: [{ $gt: 1 }] } }, {}))).toEqual({
      code: 2,
      message: 'cannot nest $ under $in',
    });
  });
});

describe('refusals', () => {
  it.each<[Document, number, string]>([
    [{ a: { $ne: /x/ } }, 2, "Can't have regex as arg to $ne."],
    [{ a: { $foo: 1 } }, 2, 'unknown operator: $foo: the embedded database does not have it'],
    [{ a: { $gt: 1, b: 2 } }, 2, 'unknown operator: b: the embedded database does not have it'],
    ...['$near', '$type', '$all', '$elemMatch', '$mod', '$expr', '$bitsAllSet'].map(
      (op): [Document, number, string] => [
        { a: { [op]: [0, 0] } },
        2,
        `unknown operator: ${op}: the embedded database does not have it`,
      ],
    ),
    [{ $where: 'true' }, 2, 'unknown top level operator: $where: the embedded database does not have it'],
  ])('%o', (filter, code, message) => {
    expect(failure(() => matches(filter, {}))).toEqual({ code, message });
  });

  it('names operators that do not exist at the top', () => {
    expect(failure(() => matches({ $gt: 1 }, {})).message).toMatch(
      /^unknown top level operator: \$gt: the embedded database/,
    );
  });
});
