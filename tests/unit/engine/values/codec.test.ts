import { serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { EngineError } from '#models/engine/errors.ts';
import { MAX_DEPTH, decode } from '#models/engine/values/decode.ts';
import { encode } from '#models/engine/values/encode.ts';
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
  type Document,
} from '#models/engine/values/types.ts';

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
}

/** One document with one element of a type: its type byte, the name `a`, its content. */
function element(type: string, content: string): Uint8Array {
  const body = Buffer.from(`${type}6100${content}00`.replace(/\s/g, ''), 'hex');
  const whole = Buffer.alloc(4 + body.length);
  whole.writeInt32LE(whole.length);
  body.copy(whole, 4);
  return whole;
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof EngineError ? error.codeName : String(error);
  }
  return 'no error';
}

describe('decoding', () => {
  it.each<[string, unknown, unknown]>([
    ['an int32', 7, 7],
    ['a negative int32', -2147483648, -2147483648],
    ['an int32 in its own class', new Int32(5), 5],
    ['a fraction', 1.5, 1.5],
    ['an integral double', new Double(2), new Double(2)],
    ['a double too large for an int32', 4294967296, 4294967296],
    ['zero as a double', new Double(0), new Double(0)],
    ['an int64', Long.fromString('9007199254740993'), Long.fromString('9007199254740993')],
    ['a small int64', Long.fromNumber(1), Long.fromNumber(1)],
    ['a string', 'grün 🌱', 'grün 🌱'],
    ['an empty string', '', ''],
    ['null', null, null],
    ['true', true, true],
    ['false', false, false],
    ['a date', new Date(-5), new Date(-5)],
    ['an array', [1, 'a', [null]], [1, 'a', [null]]],
    ['a document', { b: { c: 1 } }, { b: { c: 1 } }],
    ['a regular expression', new BSONRegExp('a+', 'im'), new BSONRegExp('a+', 'im')],
    ['MinKey', new MinKey(), new MinKey()],
    ['MaxKey', new MaxKey(), new MaxKey()],
    ['a timestamp', new Timestamp({ t: 3, i: 4 }), new Timestamp({ t: 3, i: 4 })],
    ['bytes', new Binary(Uint8Array.of(1, 2), 4), new Binary(Uint8Array.of(1, 2), 4)],
    ['bytes of the old subtype', new Binary(Uint8Array.of(1, 2), 2), new Binary(Uint8Array.of(1, 2), 2)],
  ])('reads %s as the bson package writes it', (_, given, expected) => {
    expect(decode(serialize({ a: given }))).toEqual({ a: expected });
  });

  it('keeps negative zero', () => {
    expect(Object.is(decode(serialize({ a: new Double(-0) }))['a'], -0)).toBe(true);
  });

  it('keeps a field named __proto__ as a field', () => {
    const doc = decode(serialize(JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as Document));
    expect(Object.keys(doc)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(doc)).toBe(Object.prototype);
    expect((doc as { admin?: boolean }).admin).toBeUndefined();
  });

  it('does not mistake a document with a field _bsontype for a BSON value', () => {
    const doc = decode(serialize({ a: { b: 1 } }));
    const trap = { _bsontype: 'ObjectId', id: 'x' };
    expect(decode(encode({ ...doc, trap }))['trap']).toEqual(trap);
  });

  it('reads long and non-ASCII field names', () => {
    const name = `${'k'.repeat(100)}é`;
    expect(decode(serialize({ [name]: 1, ü: 2 }))).toEqual({ [name]: 1, ü: 2 });
  });

  it('distinguishes field names that look alike', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `field${i}`);
    const doc = Object.fromEntries(names.map((name, i) => [name, i]));
    const bytes = serialize(doc);
    expect(decode(bytes)).toEqual(doc);
    expect(decode(bytes)).toEqual(doc);
    expect(Object.keys(decode(serialize({ Aa: 1, BB: 2, AaAa: 3, BBBB: 4, AaBB: 5 })))).toEqual([
      'Aa',
      'BB',
      'AaAa',
      'BBBB',
      'AaBB',
    ]);
  });

  it('does not share memory with the bytes it was given', () => {
    const bytes = serialize({ a: new Binary(Uint8Array.of(7)), b: new ObjectId('000102030405060708090a0b') });
    const doc = decode(bytes);
    bytes.fill(0xff);
    expect((doc['a'] as Binary).value()[0]).toBe(7);
    expect((doc['b'] as ObjectId).toHexString()).toBe('000102030405060708090a0b');
  });

  it('reads a document that is followed by others', () => {
    const bytes = Buffer.concat([serialize({ a: 1 }), serialize({ b: 2 })]);
    expect(decode(bytes)).toEqual({ a: 1 });
  });
});

describe('refusing bytes', () => {
  it.each<[string, Uint8Array]>([
    ['undefined', element('06', '')],
    ['DBPointer', element('0c', '02000000 6200 000102030405060708090a0b')],
    ['JavaScript code', element('0d', '02000000 6200')],
    ['symbol', element('0e', '02000000 6200')],
    ['JavaScript code with a scope', element('0f', '0f000000 02000000 6200 05000000 00')],
    ['Decimal128', element('13', '00'.repeat(16))],
  ])('refuses the type %s by its name', (name, bytes) => {
    expect(() => decode(bytes)).toThrow(`the BSON type ${name} is not supported by the embedded engine`);
    expect(codeOf(() => decode(bytes))).toBe('CommandNotSupported');
  });

  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['less than a header', bytesOf('0500')],
    ['a size beyond the bytes', bytesOf('ff000000 00')],
    ['a size too small', bytesOf('04000000 00')],
    ['a negative size', bytesOf('ffffffff 00')],
    ['a missing end', bytesOf('0c000000 10 6100 01000000')],
    ['an unknown type', element('20', '')],
    ['an int32 cut short', element('10', '0100')],
    ['a string longer than its document', element('02', 'ff000000 6200')],
    ['a string of length zero', element('02', '00000000')],
    ['a string without its end', element('02', '02000000 6262')],
    ['a negative string length', element('02', 'feffffff 6200')],
    ['a field name without its end', bytesOf('0b000000 10 616161616161')],
    ['a boolean of 2', element('08', '02')],
    ['an unknown option of a regular expression', element('0b', '6200 7100')],
    ['binary data longer than its document', element('05', 'ffffff00 00')],
    ['binary data of negative length', element('05', 'ffffffff 00')],
    ['old binary data with two lengths that differ', element('05', '06000000 02 01000000 0102')],
    ['an inner document larger than the outer', element('03', 'ff000000 00')],
    ['an inner document with a wrong size', element('03', '06000000 00 00')],
  ])('refuses %s', (_, bytes) => {
    expect(codeOf(() => decode(bytes))).toBe('InvalidBSON');
  });

  it('refuses nesting beyond the limit in any form', () => {
    let doc: Document = {};
    for (let i = 0; i < MAX_DEPTH; i++) doc = i % 2 ? { a: doc } : { a: [doc] };
    expect(codeOf(() => decode(serialize(doc)))).toBe('Overflow');
  });

  it('refuses a date that a JavaScript date cannot hold', () => {
    expect(codeOf(() => decode(element('09', 'ffffffffffffff7f')))).toBe('BadValue');
  });
});

describe('encoding', () => {
  it('leaves out undefined values, and writes null for them in arrays', () => {
    expect(decode(encode({ a: undefined, b: [1, undefined], c: () => 1 }))).toEqual({ b: [1, null] });
  });

  it('writes plain byte arrays, regular expressions and big integers', () => {
    const doc = decode(encode({ a: Uint8Array.of(1), b: /x/im, c: 5n }));
    expect(doc).toEqual({
      a: new Binary(Uint8Array.of(1)),
      b: new BSONRegExp('x', 'im'),
      c: Long.fromNumber(5),
    });
  });

  it('grows for large documents and forgets the large buffer', () => {
    const text = 'ä'.repeat(2_000_000);
    expect(decode(encode({ text }))['text']).toBe(text);
    expect(decode(encode({ a: 1 }))).toEqual({ a: 1 });
  });

  it('returns each result in its own memory', () => {
    const first = encode({ a: 1 });
    encode({ a: 2 });
    expect(decode(first)).toEqual({ a: 1 });
  });

  it('refuses a null byte in a field name and unbounded nesting', () => {
    expect(codeOf(() => encode({ 'a\0b': 1 }))).toBe('BadValue');
    const loop: Document = {};
    loop['self'] = loop;
    expect(codeOf(() => encode(loop))).toBe('Overflow');
    expect(decode(encode({ fine: 1 }))).toEqual({ fine: 1 });
  });
});
