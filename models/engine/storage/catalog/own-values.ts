import { ownKey } from '../keys/layout.ts';
import type { Kv, WritableKv } from '../kv.ts';

/** Reads a number of the store's own, 0 when it was never written. */
export function readOwnNumber(kv: Kv, name: string): number {
  return kv.get(ownKey(name))?.readDoubleBE(0) ?? 0;
}

export function writeOwnNumber(kv: WritableKv, name: string, value: number): void {
  const bytes = Buffer.allocUnsafeSlow(8);
  bytes.writeDoubleBE(value);
  kv.put(ownKey(name), bytes);
}
