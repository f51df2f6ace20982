import { isSliceOver, PAUSE, type Pause } from '../../budget.ts';
import type { StoredIndex } from '../catalog/record.ts';
import { entryRecordId } from '../keys/entry.ts';
import type { Entry, Kv } from '../kv.ts';
import type { ScanRange } from '../plan/ranges.ts';

interface Runner {
  scan: Iterator<Entry>;
  mergeFrom: number;
  head: Entry;
  tail: Buffer;
}

function advance(scan: Iterator<Entry>, mergeFrom: number): Runner | null {
  const step = scan.next();
  if (step.done) return null;
  return { scan, mergeFrom, head: step.value, tail: step.value.key.subarray(mergeFrom) };
}

/** A binary heap of runners; the top one has the first fields in sort order. */
class Heap {
  private readonly items: Runner[] = [];
  private readonly sign: number;

  constructor(reverse: boolean) {
    this.sign = reverse ? -1 : 1;
  }

  get top(): Runner | undefined {
    return this.items[0];
  }

  private before(a: number, b: number): boolean {
    const x = this.items[a] as Runner;
    const y = this.items[b] as Runner;
    return Buffer.compare(x.tail, y.tail) * this.sign < 0;
  }

  private swap(a: number, b: number): void {
    [this.items[a], this.items[b]] = [this.items[b] as Runner, this.items[a] as Runner];
  }

  push(runner: Runner): void {
    this.items.push(runner);
    for (let i = this.items.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (!this.before(i, parent)) return;
      this.swap(i, parent);
      i = parent;
    }
  }

  /** Replaces the top runner, or removes it. */
  replaceTop(runner: Runner | null): void {
    const last = runner ?? this.items.pop();
    if (this.items.length === 0 || !last) return;
    this.items[0] = last;
    this.sink();
  }

  private sink(): void {
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const right = left + 1;
      let least = i;
      if (left < this.items.length && this.before(left, least)) least = left;
      if (right < this.items.length && this.before(right, least)) least = right;
      if (least === i) return;
      this.swap(i, least);
      i = least;
    }
  }
}

/** Walks several ranges of an index at once and returns their entries in the order of the fields after the points. */
export function* mergeScans(
  kv: Kv,
  index: StoredIndex,
  ranges: ScanRange[],
  reverse: boolean,
): Generator<number | Pause> {
  const scans = ranges.map((range) => kv.entries(range, { reverse }));
  const heap = new Heap(reverse);
  for (const [i, scan] of scans.entries()) {
    const runner = advance(scan, (ranges[i] as ScanRange).mergeFrom);
    if (runner) heap.push(runner);
    if (isSliceOver()) yield PAUSE;
  }
  for (let top = heap.top; top; top = heap.top) {
    yield entryRecordId(index, top.head);
    heap.replaceTop(advance(top.scan, top.mergeFrom));
  }
}
