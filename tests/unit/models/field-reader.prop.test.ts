import { Decimal128, deserialize, Long, serialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldReader } from '#models/raw-rows.server.ts';

const name = fc.constantFrom('a', 'b', 'ab', 'ba', '_id', 'Aa', 'BB', 'C#', 'ä', 'input', 'name');
const plain = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
);
const odd = fc.constantFrom(
  Long.fromNumber(2 ** 53 + 2),
  Decimal128.fromString('1.1'),
  [1, 2],
  new Uint8Array([1]),
);
const { document } = fc.letrec((tie) => ({
  document: fc.dictionary(name, fc.oneof({ depthSize: 'small' }, plain, tie('document')), { maxKeys: 6 }),
})) as { document: fc.Arbitrary<Record<string, unknown>> };

const paths = fc.uniqueArray(
  fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
  {
    minLength: 1,
    maxLength: 6,
  },
);

/** Reading what is asked for whole and in part at once is no use anybody has. */
const apart = (all: string[]) => all.every((path) => !all.some((other) => other.startsWith(`${path}.`)));

function naive(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    const isDocument =
      typeof inner === 'object' && inner !== null && !(inner instanceof Date) && !Array.isArray(inner);
    return isDocument ? (inner as Record<string, unknown>)[key] : undefined;
  }, value);
}

const isWhole = (value: unknown) => typeof value === 'object' && value !== null && !(value instanceof Date);

describe('reading fields from bytes', () => {
  it('returns the same values as decoding the whole document', () => {
    fc.assert(
      fc.property(document, paths.filter(apart), (value, wanted) => {
        const bytes = serialize(value);
        const expected = wanted.map((path) => naive(deserialize(bytes), path));
        fc.pre(!expected.some(isWhole));
        expect(fieldReader(wanted)(bytes)).toEqual(expected);
      }),
    );
  });

  it('reads fields next to and after values of types it does not read itself', () => {
    fc.assert(
      fc.property(plain, odd, plain, (before, value, after) => {
        const bytes = serialize({ before, odd: value, inner: { odd: value, after } });
        const [first, second] = fieldReader(['before', 'inner.after'])(bytes);
        const whole = deserialize(bytes) as { before: unknown; inner: { after: unknown } };
        expect([first, second]).toEqual([whole.before, whole.inner.after]);
      }),
    );
  });

  it('distinguishes names with equal hashes', () => {
    // "Aa" and "BB" are the same under a hash that multiplies by 31.
    const bytes = serialize({ Aa: 1, BB: 2 });
    expect(fieldReader(['BB', 'Aa'])(bytes)).toEqual([2, 1]);
    expect(fieldReader(['BB'])(serialize({ Aa: 1 }))).toEqual([undefined]);
  });

  it('reads from the middle of a larger buffer', () => {
    const document = serialize({ a: 'x', at: new Date(-1) });
    const larger = new Uint8Array(document.length + 7);
    larger.set(document, 5);
    expect(fieldReader(['at', 'a'])(larger.subarray(5, 5 + document.length))).toEqual([new Date(-1), 'x']);
  });
});
