import fc from 'fast-check';
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
import { makeDouble } from '#models/engine/values/numbers.ts';

/** Whole numbers of 32 bits. */
export const int32 = fc.integer({ min: -2147483648, max: 2147483647 });

/** Whole numbers of 64 bits. */
export const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n));

/** Doubles of every kind, the integral ones wrapped so that they stay doubles. */
export const double = fc.double().map(makeDouble);

/** Numbers of all three types, small ones among them so that types meet. */
export const number = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
  fc.integer({ min: -3, max: 3 }).map((n) => new Double(n)),
  fc.integer({ min: -3, max: 3 }).map((n) => Long.fromNumber(n)),
  int32,
  int64,
  double,
);

const bytes = fc.uint8Array({ maxLength: 8 });

/** Values without inner values. */
export const scalar = fc.oneof(
  { weight: 4, arbitrary: number },
  { weight: 3, arbitrary: fc.string({ maxLength: 6 }) },
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((b) => new ObjectId(b)),
  fc.tuple(bytes, fc.constantFrom(0, 4, 128)).map(([b, type]) => new Binary(b, type)),
  fc.tuple(fc.nat(0xffff), fc.nat(0xffff)).map(([t, i]) => new Timestamp({ t, i })),
  fc.constantFrom('a', 'b+', '^c').map((pattern) => new BSONRegExp(pattern, 'i')),
  fc.constant(new MinKey()),
  fc.constant(new MaxKey()),
);

/** Field names, few enough to meet again, some of them traps. */
export const key = fc.constantFrom('a', 'b', 'c', 'd', 'x y', 'é', '__proto__', 'constructor', 'toString');

function documentOf(pairs: [string, unknown][]): Document {
  const doc: Document = {};
  for (const [name, value] of pairs) {
    Object.defineProperty(doc, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return doc;
}

const { value, document } = fc.letrec<{ value: unknown; document: Document; array: unknown[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 6, arbitrary: scalar },
    tie('document'),
    tie('array'),
  ),
  document: fc
    .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
    .map((pairs) => documentOf(pairs)),
  array: fc.array(tie('value'), { maxLength: 4 }),
}));

/** Any BSON value. */
export const anyValue = value;

export const anyDocument = document;
