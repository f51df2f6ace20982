import { deserialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode } from '#models/engine/values/encode.ts';
import { Long, type Document } from '#models/engine/values/types.ts';
import { encodeMessage, parseMessage, WireError } from '#models/engine/wire/message.ts';
import { LIMITS } from '#models/engine/wire/limits.ts';
import { atOnce } from '#models/engine/budget.ts';
import { RawBatch } from '#models/engine/wire/raw-batch.ts';
import { bodySection, message, opMsg, sequenceSection } from './messages.ts';

const parse = (bytes: Buffer) => atOnce(parseMessage(bytes));
const replyBytes = (...sent: Parameters<typeof encodeMessage>) => Buffer.concat([...encodeMessage(...sent)]);

function opQuery(namespace: string, query: Document): Buffer {
  const head = Buffer.alloc(4);
  return message(2004, Buffer.concat([head, Buffer.from(`${namespace}\0`), Buffer.alloc(8), encode(query)]));
}

describe('reading a message', () => {
  it('reads the body of an OP_MSG', () => {
    expect(parse(opMsg([bodySection({ ping: 1, $db: 'admin' })]))).toEqual({
      requestId: 7,
      kind: 'msg',
      body: { ping: 1, $db: 'admin' },
      moreToCome: false,
    });
  });

  it('merges document sequences into the body, whichever section comes first', () => {
    const body = bodySection({ insert: 'c', $db: 'd' });
    const sequence = sequenceSection('documents', [{ a: 1 }, { a: 2 }]);
    const expected = { insert: 'c', $db: 'd', documents: [{ a: 1 }, { a: 2 }] };
    for (const sections of [
      [body, sequence],
      [sequence, body],
    ]) {
      expect(parse(opMsg(sections))).toMatchObject({ body: expected });
    }
  });

  it('detects that no reply is expected', () => {
    expect(parse(opMsg([bodySection({ ping: 1 })], 2))).toMatchObject({ moreToCome: true });
  });

  it('ignores optional flags and refuses required ones it does not know', () => {
    expect(parse(opMsg([bodySection({ ping: 1 })], 1 << 16))).toMatchObject({ body: { ping: 1 } });
    expect(() => parse(opMsg([bodySection({ ping: 1 })], 4))).toThrow(WireError);
    expect(() => parse(opMsg([bodySection({ ping: 1 })], 1))).toThrow('unknown OP_MSG flags 1');
  });

  it('accepts the legacy handshake, an OP_QUERY on a $cmd collection', () => {
    expect(parse(opQuery('admin.$cmd', { ismaster: 1 }))).toMatchObject({
      kind: 'query',
      body: { ismaster: 1, $db: 'admin' },
    });
    expect(parse(opQuery('admin.$cmd', { $query: { ismaster: 1 } }))).toMatchObject({
      body: { ismaster: 1, $db: 'admin' },
    });
  });

  it('answers an object that is too large instead of closing', () => {
    const huge = bodySection({ insert: 'c', filler: 'x'.repeat(LIMITS.objectBytes) });
    const parsed = parse(opMsg([huge]));
    expect('refused' in parsed && parsed.refused.code).toBe(10334);
  });

  const malformed: [string, Buffer][] = [
    ['an unknown operation code', message(9999, Buffer.alloc(8))],
    ['a query on a collection', opQuery('db.users', { a: 1 })],
    ['a namespace without an end', message(2004, Buffer.alloc(24, 0x61))],
    ['no section', opMsg([])],
    ['two bodies', opMsg([bodySection({ a: 1 }), bodySection({ b: 1 })])],
    ['no body', opMsg([sequenceSection('documents', [])])],
    ['an unknown kind of section', opMsg([Buffer.concat([Buffer.from([2]), encode({})])])],
    ['a section longer than the message', opMsg([Buffer.from([0, 0xff, 0, 0, 0, 0])])],
    ['a section with a negative length', opMsg([Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0])])],
    [
      'the same sequence twice',
      opMsg([bodySection({ a: 1 }), sequenceSection('d', []), sequenceSection('d', [])]),
    ],
    ['a sequence that repeats a field', opMsg([bodySection({ d: 1 }), sequenceSection('d', [])])],
    [
      'a sequence aimed at the prototype',
      opMsg([bodySection({ a: 1 }), sequenceSection('__proto__', [{ polluted: true }])]),
    ],
    [
      'a sequence without a name',
      opMsg([bodySection({ a: 1 }), Buffer.from([1, 8, 0, 0, 0, 0x61, 0x61, 0x61, 0x61])]),
    ],
    ['a document with rubbish inside', opMsg([Buffer.from([0, 12, 0, 0, 0, 0x55, 0x61, 0, 1, 2, 3, 4, 0])])],
    ['an empty message', message(2013, Buffer.alloc(0))],
  ];
  it.each(malformed)('refuses %s', (_name, bytes) => {
    expect(() => parse(bytes)).toThrow(WireError);
  });

  it('fails in no other way, whatever bytes arrive', () => {
    const good = opMsg([
      bodySection({ insert: 'c', ordered: true, deep: { a: [1, 'two', null] } }),
      sequenceSection('documents', [{ _id: 1 }]),
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        (changes) => {
          const bytes = Buffer.from(good);
          for (const [at, value] of changes) bytes[at] = value;
          bytes.writeInt32LE(bytes.length, 0);
          try {
            parse(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('refuses nesting that is too deep', () => {
    let deep: Document = {};
    for (let level = 0; level < 150; level += 1) deep = { a: deep };
    expect(parse(opMsg([bodySection({ ping: deep })]))).toMatchObject({ kind: 'msg' });
    const head = Buffer.from([0x03, 0x61, 0]);
    let bytes = Buffer.from([5, 0, 0, 0, 0]);
    for (let level = 0; level < 5000; level += 1) {
      const size = Buffer.alloc(4);
      size.writeInt32LE(bytes.length + 8);
      bytes = Buffer.concat([size, head, bytes, Buffer.from([0])]);
    }
    expect(() => parse(opMsg([Buffer.concat([Buffer.from([0]), bytes])]))).toThrow(WireError);
  });
});

describe('writing a reply', () => {
  it('answers an OP_MSG with one', () => {
    const bytes = replyBytes({ requestId: 42, kind: 'msg' }, { ok: 1 });
    expect(bytes.readInt32LE(0)).toBe(bytes.length);
    expect(bytes.readInt32LE(8)).toBe(42);
    expect(bytes.readInt32LE(12)).toBe(2013);
    expect(deserialize(bytes.subarray(21))).toEqual({ ok: 1 });
  });

  it('answers an OP_QUERY with an OP_REPLY of one document', () => {
    const bytes = replyBytes({ requestId: 42, kind: 'query' }, { ok: 1 });
    expect(bytes.readInt32LE(12)).toBe(1);
    expect(bytes.readInt32LE(32)).toBe(1);
    expect(deserialize(bytes.subarray(36))).toEqual({ ok: 1 });
  });

  it('copies stored documents into a cursor unchanged', () => {
    const documents = Array.from({ length: 12 }, (_, n) => ({ _id: n, name: `n${n}` }));
    const batch = new RawBatch(documents.map((doc) => encode(doc)));
    for (const name of ['firstBatch', 'nextBatch']) {
      const reply = { cursor: { [name]: batch, id: Long.fromNumber(5), ns: 'd.c' }, ok: 1 };
      const bytes = replyBytes({ requestId: 1, kind: 'msg' }, reply);
      expect(deserialize(bytes.subarray(21))).toEqual({
        cursor: { [name]: documents, id: 5, ns: 'd.c' },
        ok: 1,
      });
    }
  });
});
