import { BSONRegExp, Binary, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'bson';

export { BSONRegExp, Binary, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp };

/**
 * A decoded document. Only own keys count; an absent key reads as `undefined`, which means "missing" everywhere.
 *
 * Numbers: a JavaScript number is an int32 if it is integral, within 32 bits and not -0, otherwise a double. A double
 * that would be mistaken for an int32 is a `Double`; an int64 is always a `Long`.
 */
export type Document = Record<string, unknown>;

/** BSON types by their numbers in the specification; 0 is a missing value. */
export const T = {
  missing: 0,
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  int: 16,
  timestamp: 17,
  long: 18,
  minKey: -1,
  maxKey: 127,
} as const;

/** Names of the types as `$type` spells them, by number. */
const TYPE_NAMES: ReadonlyMap<number, keyof typeof T> = new Map(
  Object.entries(T).map(([name, number]) => [number, name as keyof typeof T]),
);

/** BSON types that the engine does not support. */
export const REFUSED_TYPES: ReadonlyMap<number, string> = new Map([
  [6, 'undefined'],
  [12, 'DBPointer'],
  [13, 'JavaScript code'],
  [14, 'symbol'],
  [15, 'JavaScript code with a scope'],
  [19, 'Decimal128'],
]);

const BY_PROTOTYPE = new Map<unknown, number>([
  [Object.prototype, T.object],
  [null, T.object],
  [Date.prototype, T.date],
  [RegExp.prototype, T.regex],
  [ObjectId.prototype, T.objectId],
  [Long.prototype, T.long],
  [Double.prototype, T.double],
  [Int32.prototype, T.int],
  [Binary.prototype, T.binData],
  [UUID.prototype, T.binData],
  [Timestamp.prototype, T.timestamp],
  [BSONRegExp.prototype, T.regex],
  [MinKey.prototype, T.minKey],
  [MaxKey.prototype, T.maxKey],
]);

function objectType(value: object): number {
  if (Array.isArray(value)) return T.array;
  const known = BY_PROTOTYPE.get(Object.getPrototypeOf(value));
  if (known !== undefined) return known;
  if (value instanceof Uint8Array) return T.binData;
  return T.object;
}

/** The BSON type number of a decoded value; 0 for `undefined` (missing) and values outside BSON. */
export function typeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return T.string;
    case 'number':
      return (value | 0) === value && !Object.is(value, -0) ? T.int : T.double;
    case 'boolean':
      return T.bool;
    case 'object':
      return value === null ? T.null : objectType(value);
    case 'bigint':
      return T.long;
    default:
      return T.missing;
  }
}

/** The name of a value's type as in `$type`; `missing` for a missing one. */
export function typeNameOf(value: unknown): string {
  return TYPE_NAMES.get(typeOf(value)) ?? 'missing';
}

/** Rank of each BSON type in MongoDB's order; types of one rank compare with each other by value. */
export function typeRank(type: number): number {
  switch (type) {
    case T.minKey:
      return -1;
    case T.missing:
      return 0;
    case T.null:
      return 5;
    case T.int:
    case T.long:
    case T.double:
      return 10;
    case T.string:
      return 15;
    case T.object:
      return 20;
    case T.array:
      return 25;
    case T.binData:
      return 30;
    case T.objectId:
      return 35;
    case T.bool:
      return 40;
    case T.date:
      return 45;
    case T.timestamp:
      return 47;
    case T.regex:
      return 50;
    default:
      return 127;
  }
}

/** True for an embedded document: not an array, not one of the BSON value types. */
export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && objectType(value) === T.object;
}

/** True for int, long and double. */
export function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return true;
  const type = typeOf(value);
  return type === T.int || type === T.long || type === T.double;
}

/** Sets an own field, even one named `__proto__`, which must never reach the prototype. */
export function setField(doc: Document, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(doc, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    doc[key] = value;
  }
}

/** Reads an own field; `undefined` if missing, even for names that every object inherits. */
export function getField(doc: Document, key: string): unknown {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

/** The parts of a regular expression value of either class. */
export function regexParts(value: unknown): { pattern: string; options: string } {
  if (value instanceof BSONRegExp) return { pattern: value.pattern, options: value.options };
  if (value instanceof RegExp)
    return { pattern: value.source, options: value.flags.replace(/[^imsux]/g, '') };
  throw new TypeError('not a regular expression');
}
