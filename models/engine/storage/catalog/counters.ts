import { counterKey } from '../keys/layout.ts';
import type { Kv, WritableKv } from '../kv.ts';

/** A collection's number of documents, their size in bytes, and the highest record id ever used. */
export interface Counter {
  count: number;
  size: number;
  lastRecordId: number;
}

const COUNTER_BYTES = 24;

export function readCounter(kv: Kv, collId: number): Counter {
  const bytes = kv.get(counterKey(collId));
  if (!bytes) return { count: 0, size: 0, lastRecordId: 0 };
  return { count: bytes.readDoubleBE(0), size: bytes.readDoubleBE(8), lastRecordId: bytes.readDoubleBE(16) };
}

function writeCounter(kv: WritableKv, collId: number, counter: Counter): void {
  const bytes = Buffer.allocUnsafeSlow(COUNTER_BYTES);
  bytes.writeDoubleBE(counter.count, 0);
  bytes.writeDoubleBE(counter.size, 8);
  bytes.writeDoubleBE(counter.lastRecordId, 16);
  kv.put(counterKey(collId), bytes);
}

/**
 * The counters of one group of writes: read once, changed in memory, written when the group ends. `savepoint` and
 * `restore` support the rollback of a single statement; record ids are not reused.
 */
export class Counters {
  private readonly loaded = new Map<number, Counter>();
  private readonly dirty = new Set<number>();

  constructor(private readonly kv: WritableKv) {}

  get(collId: number): Counter {
    let counter = this.loaded.get(collId);
    if (!counter) {
      counter = readCounter(this.kv, collId);
      this.loaded.set(collId, counter);
    }
    return counter;
  }

  nextRecordId(collId: number): number {
    const counter = this.get(collId);
    counter.lastRecordId += 1;
    this.dirty.add(collId);
    return counter.lastRecordId;
  }

  add(collId: number, documents: number, bytes: number): void {
    const counter = this.get(collId);
    counter.count += documents;
    counter.size += bytes;
    this.dirty.add(collId);
  }

  forget(collId: number): void {
    this.loaded.delete(collId);
    this.dirty.delete(collId);
    this.kv.remove(counterKey(collId));
  }

  savepoint(): Map<number, Counter> {
    return new Map([...this.loaded].map(([collId, counter]) => [collId, { ...counter }]));
  }

  restore(saved: Map<number, Counter>): void {
    const lastIds = new Map([...this.loaded].map(([collId, counter]) => [collId, counter.lastRecordId]));
    this.loaded.clear();
    this.dirty.clear();
    for (const [collId, before] of saved) {
      const lastRecordId = Math.max(before.lastRecordId, lastIds.get(collId) ?? 0);
      this.loaded.set(collId, { ...before, lastRecordId });
      this.dirty.add(collId);
    }
  }

  /** Writes changed counters. */
  flush(): void {
    for (const collId of this.dirty) writeCounter(this.kv, collId, this.get(collId));
    this.dirty.clear();
  }
}
