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
} from '#models/engine/values/types.ts';

const shortText = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.constantFrom('', 'a', 'a\0', 'a\0b', 'a\u0001', 'aa', 'ab', 'A', 'é', '\uffff', '😀'),
);

/** Numbers of all three types, often close together or equal across types. */
export const numberValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.integer(),
  fc.double(),
  fc.integer({ min: -5, max: 5 }).map((n) => new Double(n)),
  fc.integer({ min: -5, max: 5 }).map((n) => Long.fromNumber(n)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n)),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map((n) => Long.fromBigInt(n)),
  fc.constantFrom(2 ** 53, 2 ** 63, -(2 ** 63), 0.1, NaN, Infinity, -Infinity, -0, new Double(NaN)),
);

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: numberValue },
  { weight: 4, arbitrary: shortText },
  fc.constantFrom(null, true, false, new MinKey(), new MaxKey()),
  fc.integer({ min: -3, max: 3 }).map((ms) => new Date(ms)),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc
    .tuple(fc.uint8Array({ maxLength: 3 }), fc.constantFrom(0, 4, 5))
    .map(([bytes, type]) => new Binary(bytes, type)),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([t, i]) => new Timestamp({ t, i })),
  fc
    .tuple(fc.constantFrom('a', 'b', ''), fc.constantFrom('', 'i', 'im'))
    .map(([p, o]) => new BSONRegExp(p, o)),
);

const fieldName = fc.constantFrom('a', 'b', 'c', 'a\u0001');

/** Any BSON value, nested up to three deep. */
export const bsonValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; nested: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('nested')),
  nested: fc.oneof(
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fieldName, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
