import { KIND, prefixEnd } from '../keys/layout.ts';
import type { Kv, WritableKv } from '../kv.ts';

const GARBAGE = Buffer.from([KIND.garbage]);

/** Prefixes of dropped collections and indexes whose keys still exist. */
export function garbagePrefixes(kv: Kv): Buffer[] {
  const scan = kv.scan({ start: GARBAGE, end: prefixEnd(GARBAGE) as Buffer }, { keysOnly: true });
  return [...scan].map(({ key }) => Buffer.from(key.subarray(1)));
}

/** Removes up to `limit` keys that begin with a prefix; true when none is left. */
export function removeRange(kv: WritableKv, prefix: Buffer, limit: number): boolean {
  const doomed: Buffer[] = [];
  for (const { key } of kv.scan({ start: prefix, end: prefixEnd(prefix) as Buffer }, { keysOnly: true })) {
    doomed.push(key);
    if (doomed.length === limit) break;
  }
  for (const key of doomed) kv.remove(key);
  return doomed.length < limit;
}

/** Removes up to `limit` keys of a dropped range, and its mark when none is left; true in that case. */
export function removeGarbage(kv: WritableKv, prefix: Buffer, limit: number): boolean {
  if (!removeRange(kv, prefix, limit)) return false;
  kv.remove(Buffer.concat([GARBAGE, prefix]));
  return true;
}
