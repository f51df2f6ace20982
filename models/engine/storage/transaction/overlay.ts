import {
  EMPTY_BYTES,
  type Entry,
  type Kv,
  type KeyRange,
  type Scan,
  type ScanOptions,
  type WritableKv,
} from '../kv.ts';
import { SortedMap } from './sorted-map.ts';

const DONE: IteratorResult<Entry> = { done: true, value: undefined };

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

/** Walks a base and the writes laid over it as one. Reads the writes as they are when it gets there. */
class OverlayScan implements Scan {
  private readonly base: Scan;
  private readonly writes: SortedMap<Buffer | null>;
  private readonly end: string;
  private readonly reverse: boolean;
  private at: string;
  private fresh = true;
  private ahead: IteratorResult<Entry>;
  private left: number;

  constructor(base: Scan, writes: SortedMap<Buffer | null>, range: KeyRange, options: ScanOptions) {
    this.base = base;
    this.writes = writes;
    this.reverse = options.reverse === true;
    this.at = textOf(this.reverse ? range.end : range.start);
    this.end = textOf(this.reverse ? range.start : range.end);
    this.left = options.skip ?? 0;
    this.ahead = base.next();
  }

  private nextWrite(): [string, Buffer | null] | null {
    const found = this.reverse ? this.writes.previous(this.at) : this.writes.next(this.at, this.fresh);
    if (!found) return null;
    return (this.reverse ? found[0] < this.end : found[0] >= this.end) ? null : found;
  }

  private step(): IteratorResult<Entry> {
    for (;;) {
      const write = this.nextWrite();
      const baseKey = this.ahead.done ? null : textOf(this.ahead.value.key);
      if (write === null && baseKey === null) return DONE;
      const order = write === null ? 1 : baseKey === null ? -1 : this.order(write[0], baseKey);
      if (order > 0) {
        const entry = this.ahead;
        this.pass(baseKey as string);
        return entry;
      }
      const [key, value] = write as [string, Buffer | null];
      this.pass(key, order < 0);
      if (value !== null) return { done: false, value: { key: Buffer.from(key, 'latin1'), value } };
    }
  }

  private order(write: string, base: string): number {
    const order = write < base ? -1 : write > base ? 1 : 0;
    return this.reverse ? -order : order;
  }

  /** Goes beyond a key, in the base too unless the key is only among the writes. */
  private pass(key: string, onlyWrite = false): void {
    this.at = key;
    this.fresh = false;
    if (!onlyWrite) this.ahead = this.base.next();
  }

  next(): IteratorResult<Entry> {
    let entry = this.step();
    for (; this.left > 0 && !entry.done; this.left--) entry = this.step();
    return entry;
  }

  return(): IteratorResult<Entry> {
    this.base.return();
    this.ahead = DONE;
    this.at = this.end;
    this.fresh = false;
    return DONE;
  }

  [Symbol.iterator](): Scan {
    return this;
  }
}

/** A state with writes laid over it that nobody else sees. */
export class OverlayKv implements WritableKv {
  private readonly base: Kv;
  private readonly writes = new SortedMap<Buffer | null>();

  constructor(base: Kv) {
    this.base = base;
  }

  get(key: Buffer): Buffer | undefined {
    const written = this.writes.get(textOf(key));
    return written === undefined ? this.base.get(key) : (written ?? undefined);
  }

  scan(range: KeyRange, options: ScanOptions = {}): Scan {
    const { skip: _skip, ...rest } = options;
    return new OverlayScan(this.base.scan(range, rest), this.writes, range, options);
  }

  count(range: KeyRange): number {
    let total = 0;
    const scan = this.scan(range, { keysOnly: true });
    for (const _entry of scan) total += 1;
    return total;
  }

  put(key: Buffer, value: Uint8Array): void {
    this.writes.set(textOf(key), value.length === 0 ? EMPTY_BYTES : Buffer.from(value));
  }

  remove(key: Buffer): void {
    this.writes.set(textOf(key), null);
  }
}
