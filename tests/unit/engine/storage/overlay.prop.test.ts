import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, Kv, KeyRange, Scan, ScanOptions } from '#models/engine/storage/kv.ts';
import { OverlayKv } from '#models/engine/storage/transaction/overlay.ts';
import { SortedMap } from '#models/engine/storage/transaction/sorted-map.ts';

type Pairs = [string, string][];

/** Ordered pairs in memory: the plainest thing that keeps what `Kv` promises. */
class PlainKv implements Kv {
  readonly pairs = new Map<string, string>();

  constructor(pairs: Pairs) {
    for (const [key, value] of pairs) this.pairs.set(key, value);
  }

  private within(range: KeyRange): Entry[] {
    return [...this.pairs]
      .map(([key, value]) => ({ key: Buffer.from(key), value: Buffer.from(value) }))
      .filter(({ key }) => Buffer.compare(key, range.start) >= 0 && Buffer.compare(key, range.end) < 0)
      .sort((a, b) => Buffer.compare(a.key, b.key));
  }

  get(key: Buffer): Buffer | undefined {
    const value = this.pairs.get(key.toString());
    return value === undefined ? undefined : Buffer.from(value);
  }

  scan(range: KeyRange, options: ScanOptions = {}): Scan {
    const entries = this.within(range);
    if (options.reverse) entries.reverse();
    const source = entries.slice(options.skip ?? 0)[Symbol.iterator]();
    return Object.assign(source, {
      return: () => ({ done: true as const, value: undefined }),
    }) as unknown as Scan;
  }

  count(range: KeyRange): number {
    return this.within(range).length;
  }
}

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 });
const pairs = fc.array(fc.tuple(key, fc.string({ maxLength: 2 })), { maxLength: 20 });
const change = fc.oneof(
  fc.tuple(key, fc.string({ maxLength: 2 })).map(([k, v]) => ({ k, v: v as string | null })),
  key.map((k) => ({ k, v: null as string | null })),
);
const range = fc.tuple(key, key).map(([a, b]) => ({ start: Buffer.from(a), end: Buffer.from(b) }));
const read = (kv: Kv, r: KeyRange, options: ScanOptions): Pairs =>
  [...kv.scan(r, options)].map((entry) => [entry.key.toString(), entry.value.toString()]);

describe('writes laid over a state', () => {
  it('read as if they had been made', () => {
    const options = fc.record({ reverse: fc.boolean(), skip: fc.nat(4) });
    fc.assert(
      fc.property(pairs, fc.array(change, { maxLength: 20 }), range, options, (base, changes, r, o) => {
        const overlay = new OverlayKv(new PlainKv(base));
        const made = new PlainKv(base);
        for (const { k, v } of changes) {
          if (v === null) {
            overlay.remove(Buffer.from(k));
            made.pairs.delete(k);
          } else {
            overlay.put(Buffer.from(k), Buffer.from(v));
            made.pairs.set(k, v);
          }
        }
        expect(read(overlay, r, o)).toEqual(read(made, r, o));
        expect(overlay.count(r)).toBe(made.count(r));
        for (const k of [...made.pairs.keys(), 'a', 'cc'])
          expect(overlay.get(Buffer.from(k))?.toString()).toBe(made.get(Buffer.from(k))?.toString());
      }),
      { numRuns: 1500 },
    );
  });

  it('leave the state below as it was', () => {
    const base = new PlainKv([['a', '1']]);
    const overlay = new OverlayKv(base);
    overlay.put(Buffer.from('a'), Buffer.from('2'));
    overlay.remove(Buffer.from('b'));
    expect([...base.pairs]).toEqual([['a', '1']]);
  });

  it('end a walk that is given up', () => {
    const overlay = new OverlayKv(new PlainKv([['a', '1']]));
    overlay.put(Buffer.from('b'), Buffer.from('2'));
    const scan = overlay.scan({ start: Buffer.from('a'), end: Buffer.from('z') });
    expect(scan.next().done).toBe(false);
    scan.return();
    expect(scan.next().done).toBe(true);
  });
});

describe('a sorted map', () => {
  it('keeps thousands of keys in order, and finds neighbours', () => {
    const map = new SortedMap<number>();
    const keys = Array.from({ length: 5000 }, (_, i) => String((i * 7919) % 5000).padStart(4, '0'));
    keys.forEach((k, i) => map.set(k, i));
    keys.forEach((k, i) => expect(map.get(k)).toBe(i));
    const walked: string[] = [];
    for (let at = map.next('', true); at; at = map.next(at[0], false)) walked.push(at[0]);
    expect(walked).toEqual([...keys].sort());
    const back: string[] = [];
    for (let at = map.previous('~'); at; at = map.previous(at[0])) back.push(at[0]);
    expect(back).toEqual([...keys].sort().reverse());
    expect(map.get('none')).toBeUndefined();
  });

  it('holds nothing at first', () => {
    const map = new SortedMap<number>();
    expect([map.get('a'), map.next('', true), map.previous('~')]).toEqual([undefined, null, null]);
  });
});
