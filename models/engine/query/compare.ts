import { bareNumber, compareNumbers } from '../values/numbers.ts';
import {
  typeOf,
  Binary,
  isNumeric,
  regexParts,
  typeRank,
  type Document,
  type ObjectId,
  type Timestamp,
} from '../values/types.ts';

/** Truthiness as in MongoDB: everything except false, null, missing and zero. NaN is true. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumeric(value) || Number(bareNumber(value)) !== 0;
}

/** Compares two strings by their UTF-8 bytes, which differs from JavaScript's order for astral characters. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    return utf8Rank(x) < utf8Rank(y) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

/** UTF-8 sorts characters beyond U+FFFF, which are surrogates here, after all others. */
function utf8Rank(code: number): number {
  return code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const diff = (a[i] as number) - (b[i] as number);
    if (diff !== 0) return diff < 0 ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

function binaryParts(value: unknown): { bytes: Uint8Array; subType: number } {
  return value instanceof Binary
    ? { bytes: value.value(), subType: value.sub_type }
    : { bytes: value as Uint8Array, subType: 0 };
}

function compareBinary(a: unknown, b: unknown): number {
  const x = binaryParts(a);
  const y = binaryParts(b);
  return (
    Math.sign(x.bytes.length - y.bytes.length) ||
    Math.sign(x.subType - y.subType) ||
    compareBytes(x.bytes, y.bytes)
  );
}

/** Compares two embedded documents field by field: by type, then name, then value; the shorter one first. */
function compareDocuments(a: Document, b: Document): number {
  const keysA = Object.keys(a);
  const keysB = Object.keys(b);
  const length = Math.min(keysA.length, keysB.length);
  for (let i = 0; i < length; i++) {
    const keyA = keysA[i] as string;
    const keyB = keysB[i] as string;
    const diff =
      Math.sign(typeRank(typeOf(a[keyA])) - typeRank(typeOf(b[keyB]))) ||
      compareStrings(keyA, keyB) ||
      compareValues(a[keyA], b[keyB]);
    if (diff !== 0) return diff;
  }
  return Math.sign(keysA.length - keysB.length);
}

function compareArrays(a: unknown[], b: unknown[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const diff = compareValues(a[i], b[i]);
    if (diff !== 0) return diff;
  }
  return Math.sign(a.length - b.length);
}

function compareRare(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case 30:
      return compareBinary(a, b);
    case 47:
      return (a as Timestamp).compare(b as Timestamp);
    case 50: {
      const x = regexParts(a);
      const y = regexParts(b);
      return compareStrings(x.pattern, y.pattern) || compareStrings(x.options, y.options);
    }
    default:
      return 0;
  }
}

function compareSameRank(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case 10:
      return compareNumbers(a, b);
    case 15:
      return compareStrings(a as string, b as string);
    case 20:
      return compareDocuments(a as Document, b as Document);
    case 25:
      return compareArrays(a as unknown[], b as unknown[]);
    case 35:
      return compareBytes((a as ObjectId).id, (b as ObjectId).id);
    case 40:
      return Number(a) - Number(b);
    case 45:
      return Math.sign((a as Date).getTime() - (b as Date).getTime());
    default:
      return compareRare(rank, a, b);
  }
}

/**
 * Compares any two values in MongoDB's order of types: MinKey, missing, null, numbers, strings, documents, arrays, binary,
 * ObjectId, booleans, dates, timestamps, regular expressions, MaxKey.
 * @returns -1, 0 or 1
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  const rankA = typeRank(typeOf(a));
  const rankB = typeRank(typeOf(b));
  return rankA === rankB ? compareSameRank(rankA, a, b) : rankA < rankB ? -1 : 1;
}

/** True when two values are equal in MongoDB: 1 equals 1.0, and the key order of documents matters. */
export function equalValues(a: unknown, b: unknown): boolean {
  return a === b || compareValues(a, b) === 0;
}
