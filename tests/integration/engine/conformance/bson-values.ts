import { BSONRegExp, Binary, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import type { Doc } from './bson-model.ts';

/** Documents, filters and sorts over all BSON types, for whatever is held against the model. */

const numbers = [
  ...[0, 1, 2, -1, 2.5, NaN, Infinity, -Infinity, -0, new Double(1), new Double(NaN), 0.1],
  ...[Long.fromNumber(1), Long.fromString('9007199254740993'), 9007199254740992, Long.MAX_VALUE, 2 ** 63],
  ...[2147483647, -2147483648],
];
/** Numbers that are equal across types, or nearly so, or at the end of a type. */
export const number = fc.constantFrom<unknown>(...numbers);

/** Few values of each type, so that they meet. */
export const scalar = fc.constantFrom<unknown>(
  ...numbers,
  ...['', 'a', 'ab', 'b', 'A', '😀', '\uffff'],
  ...[new Binary(Buffer.from('a')), new Binary(Buffer.from('a'), 5), new Binary(Buffer.from('ab'))],
  ...[new ObjectId('65e0a0000000000000000001'), new ObjectId('65e0a0000000000000000002')],
  ...[true, false, new Date(0), new Date(-1), null, new MinKey(), new MaxKey()],
  ...[
    new Timestamp({ t: 0, i: 1 }),
    new Timestamp({ t: 1, i: 0 }),
    new BSONRegExp('a', ''),
    new BSONRegExp('a', 'i'),
  ],
);
const isRegex = (value: unknown): boolean => value instanceof BSONRegExp;
/** Those that mean themselves wherever they stand. */
export const flat = scalar.filter((value) => !isRegex(value));
export const inner = fc.record({ d: scalar, e: scalar }, { requiredKeys: [], noNullPrototype: true });
export const flatInner = inner.filter((doc) => !Object.values(doc).some(isRegex));
const value = fc.oneof({ weight: 6, arbitrary: scalar }, { weight: 2, arbitrary: inner });
/** Arrays are neither indexed nor sorted by; filters, updates and projections look into them. */
export const list = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.oneof({ weight: 5, arbitrary: scalar }, inner), { maxLength: 3 }) },
  fc.array(fc.array(fc.oneof({ weight: 3, arbitrary: scalar }, inner), { maxLength: 2 }), { maxLength: 2 }),
);
export const anyValue = fc.oneof({ weight: 4, arbitrary: value }, list);
export const doc: fc.Arbitrary<Doc> = fc.record(
  { a: value, b: value, l: list, n: fc.nat(3) },
  { requiredKeys: [], noNullPrototype: true },
);

/** Paths on which no array lies. */
const path = fc.constantFrom('a', 'b', 'a.d', 'b.e', 'n');
const anyPath = fc.oneof(
  { weight: 2, arbitrary: path },
  fc.constantFrom('l', 'l.d', 'l.0', 'l.1', 'l.0.d', 'l.0.0', 'a.0'),
);
export const flatList = fc.array(flat, { maxLength: 2 });
const operand = fc.oneof({ weight: 6, arbitrary: flat }, flatInner);
const bound = fc.oneof({ weight: 8, arbitrary: flat }, flatInner, flatList);
const range = fc
  .record({ $gt: bound, $gte: bound, $lt: bound, $lte: bound }, { requiredKeys: [], noNullPrototype: true })
  .filter((operators) => Object.keys(operators).length > 0);
const pattern = fc.constantFrom('^a', 'b$', '', 'a', '^A.$');
const regex = fc.tuple(pattern, fc.constantFrom('', 'i')).map(([source, how]) => new BSONRegExp(source, how));
const member = fc.oneof({ weight: 6, arbitrary: operand }, flatList, regex);
const positive: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 3, arbitrary: range },
  fc.oneof(operand, flatList).map(($eq) => ({ $eq })),
  fc.array(member, { maxLength: 3 }).map(($in) => ({ $in })),
  fc.constantFrom<unknown>(true, false, 1, 0, null).map(($exists) => ({ $exists })),
  fc.nat(2).map(($size) => ({ $size })),
  fc
    .record({ $regex: pattern, $options: fc.constantFrom('', 'i') }, { requiredKeys: ['$regex'] })
    .map((both): Doc => ({ ...both })),
);
const operators: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 6, arbitrary: positive },
  fc.oneof(operand, flatList).map(($ne) => ({ $ne })),
  fc.array(member, { maxLength: 3 }).map(($nin) => ({ $nin })),
  fc.oneof({ weight: 3, arbitrary: positive }, regex).map(($not) => ({ $not })),
);
const condition: fc.Arbitrary<Doc> = fc
  .tuple(anyPath, fc.oneof({ weight: 4, arbitrary: operators }, operand, regex))
  .map(([name, expected]) => ({ [name]: expected }));
const several = fc.array(condition, { minLength: 1, maxLength: 3 });
const simple = fc.oneof(
  { weight: 3, arbitrary: condition },
  several.map((parts): Doc => Object.assign({}, ...parts)),
  fc.tuple(fc.constantFrom('$and', '$or', '$nor'), several).map(([op, parts]): Doc => ({ [op]: parts })),
);
export const filter: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 5, arbitrary: simple },
  fc.tuple(condition, simple, simple).map(([x, y, z]): Doc => ({ ...x, $or: [y, z] })),
  fc.tuple(simple, simple).map(([x, y]): Doc => ({ $and: [x, y] })),
);

const direction = fc.constantFrom<1 | -1>(1, -1);
/** One or two paths, each up or down: an index, or what to sort by. */
export const key = fc
  .uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 2, selector: ([name]) => name })
  .map((fields): Record<string, 1 | -1> => Object.fromEntries(fields));
