import { bareNumber } from '../values/numbers.ts';
import { Decimal128, ObjectId, isNumeric } from '../values/types.ts';
import { equalValues } from './compare.ts';
import { isDocument } from '../values/types.ts';

/** A text that equal values share, so that only few need comparing; unequal ones may share it too. */
function bucketOf(value: unknown): string {
  if (typeof value === 'string') return `s${value}`;
  if (value === null) return 'n';
  if (isNumeric(value)) {
    const bare = bareNumber(value);
    const number = bare instanceof Decimal128 ? Number(bare.toString()) : Number(bare);
    return `d${number === 0 ? 0 : number}`;
  }
  if (value instanceof ObjectId) return `o${value.toHexString()}`;
  if (value instanceof Date) return `t${value.getTime()}`;
  if (Array.isArray(value)) return `a${value.length}${value.length > 0 ? bucketOf(value[0]) : ''}`;
  if (isDocument(value))
    return `{${Object.keys(value)
      .map((key) => `${key}:${bucketOf(value[key])}`)
      .join()}`;
  return typeof value;
}

/** A map whose keys are BSON values, equal as MongoDB holds them equal (1 and 1.0 are one key). */
export class ValueMap<V> {
  private readonly buckets = new Map<string, [unknown, V][]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  private find(key: unknown): { bucket: string; entry: [unknown, V] | undefined } {
    const bucket = bucketOf(key);
    const entry = this.buckets.get(bucket)?.find(([other]) => equalValues(other, key));
    return { bucket, entry };
  }

  get(key: unknown): V | undefined {
    return this.find(key).entry?.[1];
  }

  has(key: unknown): boolean {
    return this.find(key).entry !== undefined;
  }

  /** The value of a key, made and kept when there is none yet. */
  getOrMake(key: unknown, make: () => V): V {
    const { bucket, entry } = this.find(key);
    if (entry) return entry[1];
    const value = make();
    const list = this.buckets.get(bucket);
    if (list) list.push([key, value]);
    else this.buckets.set(bucket, [[key, value]]);
    this.count++;
    return value;
  }

  *entries(): Generator<[unknown, V]> {
    for (const list of this.buckets.values()) yield* list;
  }
}

/** A set of BSON values, see {@link ValueMap}. */
export class ValueSet {
  private readonly map = new ValueMap<true>();

  get size(): number {
    return this.map.size;
  }

  has(value: unknown): boolean {
    return this.map.has(value);
  }

  /** @returns true when the value was not there before */
  add(value: unknown): boolean {
    const before = this.map.size;
    this.map.getOrMake(value, () => true);
    return this.map.size > before;
  }

  *values(): Generator<unknown> {
    for (const [value] of this.map.entries()) yield value;
  }
}
