import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson';

export {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
};

/**
 * A decoded document. Own keys only count; an absent key reads as `undefined`, which is "missing" everywhere.
 *
 * Numbers: a JavaScript number is an int32 when it is integral, within 32 bits and not -0, otherwise a double. A double
 * that would be taken for an int32 is a `Double`; int64 is always a `Long`.
 */
export type Document = Record<string, unknown>;

/** The deprecated BSON type `undefined` (6), kept apart from a missing field. */
export class BsonUndefined {
  static readonly instance = new BsonUndefined();
}

/** The deprecated BSON type DBPointer (12). */
export class DbPointer {
  constructor(
    readonly namespace: string,
    readonly id: ObjectId,
  ) {}
}

/** BSON type numbers as in the specification; 0 stands for a missing value. */
export const T = {
  missing: 0,
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
} as const;

/** Names of the types as `$type` spells them, by number. */
export const TYPE_NAMES: ReadonlyMap<number, keyof typeof T> = new Map(
  Object.entries(T).map(([name, number]) => [number, name as keyof typeof T]),
);

const BY_PROTOTYPE = new Map<unknown, number>([
  [Object.prototype, T.object],
  [null, T.object],
  [Date.prototype, T.date],
  [RegExp.prototype, T.regex],
  [ObjectId.prototype, T.objectId],
  [Long.prototype, T.long],
  [Double.prototype, T.double],
  [Int32.prototype, T.int],
  [Decimal128.prototype, T.decimal],
  [Binary.prototype, T.binData],
  [UUID.prototype, T.binData],
  [Timestamp.prototype, T.timestamp],
  [BSONRegExp.prototype, T.regex],
  [BSONSymbol.prototype, T.symbol],
  [MinKey.prototype, T.minKey],
  [MaxKey.prototype, T.maxKey],
  [BsonUndefined.prototype, T.undefined],
  [DbPointer.prototype, T.dbPointer],
]);

function objectType(value: object): number {
  if (Array.isArray(value)) return T.array;
  const known = BY_PROTOTYPE.get(Object.getPrototypeOf(value));
  if (known !== undefined) return known;
  if (value instanceof Code) return value.scope ? T.javascriptWithScope : T.javascript;
  if (value instanceof Uint8Array) return T.binData;
  return T.object;
}

/** The BSON type number of a decoded value; 0 for `undefined` (missing) and for what BSON cannot hold. */
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

/** The name of a value's type as `$type` answers it, `missing` for a missing one. */
export function typeNameOf(value: unknown): string {
  return TYPE_NAMES.get(typeOf(value)) ?? 'missing';
}

/** True for an embedded document: not an array, not one of the BSON value types. */
export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && objectType(value) === T.object;
}

/** True for int, long, double and decimal. */
export function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return true;
  const type = typeOf(value);
  return type === T.int || type === T.long || type === T.double || type === T.decimal;
}

/** Sets an own field, also one named `__proto__`, which must never reach the prototype. */
export function setField(doc: Document, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(doc, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    doc[key] = value;
  }
}

/** Reads an own field; `undefined` when it is missing, also for names that every object inherits. */
export function getField(doc: Document, key: string): unknown {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

/** The parts of a regular expression value, whichever class holds it. */
export function regexParts(value: unknown): { pattern: string; options: string } {
  if (value instanceof BSONRegExp) return { pattern: value.pattern, options: value.options };
  if (value instanceof RegExp)
    return { pattern: value.source, options: value.flags.replace(/[^imsux]/g, '') };
  throw new TypeError('not a regular expression');
}
