import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDatabaseName } from '#models/engine/commands/namespaces.ts';
import { toNumber, wholeNumber } from '#models/engine/values/numbers.ts';
import { checkNamespace } from '#models/engine/storage/index.ts';
import { findCommand } from '#models/engine/commands/registry.ts';
import { withId } from '#models/engine/commands/write.ts';
import { Double, Int32, Long, ObjectId } from '#models/engine/values/types.ts';

const refusal = (code: number) => expect.objectContaining({ code }) as Error;

describe('names of databases', () => {
  it.each(['vialbook', 'a-b_c', 'ä', 'x'.repeat(63)])('may be %s', (name) => {
    expect(() => checkDatabaseName(name)).not.toThrow();
  });

  it.each(['', 'a.b', 'a b', 'a/b', 'a\\b', 'a"b', 'a$b', 'a\0', 'x'.repeat(64)])('may not be %j', (name) => {
    expect(() => checkDatabaseName(name)).toThrow(refusal(73));
  });
});

describe('names of collections', () => {
  it.each(['a', 'a.b.c', 'fs.chunks', 'with space', 'ä', `${'x'.repeat(200)}`])('may be %s', (name) => {
    expect(() => checkNamespace(`db.${name}`)).not.toThrow();
  });

  it.each(['', '.a', 'a$b', '$a', 'a\0b', 'x'.repeat(253)])('may not be %j', (name) => {
    expect(() => checkNamespace(`db.${name}`)).toThrow(refusal(73));
  });
});

describe('numbers of a command', () => {
  it('are read alike from every numeric type', () => {
    for (const five of [5, 5n, new Double(5), new Int32(5), Long.fromNumber(5)]) {
      expect(toNumber(five)).toBe(5);
    }
    for (const other of ['5', null, undefined, {}, true]) expect(toNumber(other)).toBeNaN();
  });

  it('are returned as int if they fit, otherwise as long', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const sent = wholeNumber(value);
        expect(toNumber(sent)).toBe(value);
        expect(typeof sent === 'number').toBe(Math.abs(value) <= 2 ** 31 - 1);
      }),
    );
  });
});

describe('names of commands', () => {
  it('are case-sensitive, with the same aliases as on a server', () => {
    expect(findCommand('isMaster')).toBe(findCommand('ismaster'));
    for (const name of ['FIND', 'constructor', '__proto__', 'toString', ''])
      expect(findCommand(name)).toBeUndefined();
  });
});

describe('a document to store', () => {
  it('has its _id first, created if missing', () => {
    expect(Object.keys(withId({ a: 1, _id: 5, b: 2 }))).toEqual(['_id', 'a', 'b']);
    expect(withId({ a: 1 })['_id']).toBeInstanceOf(ObjectId);
    const document = { _id: 1, a: 1 };
    expect(withId(document)).toBe(document);
    expect(withId({ _id: null })).toEqual({ _id: null });
  });

  it('does not mistake inherited properties for its own fields', () => {
    expect(
      withId(JSON.parse('{ "__proto__": { "_id": 5 } }') as Record<string, unknown>)['_id'],
    ).toBeInstanceOf(ObjectId);
  });
});
