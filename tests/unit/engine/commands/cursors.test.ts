import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce, Budget, type Steps } from '#models/engine/budget.ts';
import { CURSOR_IDLE_MS, Cursors, type CursorSource } from '#models/engine/commands/cursors.ts';
import type { Long, Document } from '#models/engine/values/types.ts';
import type { RawBatch } from '#models/engine/wire/raw-batch.ts';

interface Probe extends CursorSource {
  closed: number;
  taken: number;
}

/** `count` documents of `size` bytes, whose first byte tells their place. */
function source(count: number, size = 8): Probe {
  const probe: Probe = { closed: 0, taken: 0, close: () => undefined, documents: [].values() };
  probe.close = () => {
    probe.closed += 1;
  };
  probe.documents = (function* () {
    for (let n = 0; n < count; n += 1) {
      probe.taken += 1;
      yield new Uint8Array(size).fill(n % 256);
    }
  })();
  return probe;
}

const owner = { ns: 'd.c', session: 'a', transaction: null };

function read(steps: Steps<Document>): { places: number[]; id: bigint } {
  const reply = atOnce(steps);
  const batch = (reply['firstBatch'] ?? reply['nextBatch']) as RawBatch;
  return { places: batch.documents.map((bytes) => bytes[0] as number), id: (reply['id'] as Long).toBigInt() };
}

describe('cursors', () => {
  it('return every document once and in order, whatever the batch sizes', () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        (count, sizes) => {
          const cursors = new Cursors();
          const probe = source(count);
          let step = read(cursors.start(probe, owner, new Budget(), sizes[0] as number));
          const seen = [...step.places];
          for (let round = 1; step.id !== 0n; round += 1) {
            step = read(cursors.next(step.id, owner, new Budget(), sizes[round % sizes.length] as number));
            seen.push(...step.places);
          }
          expect(seen).toEqual(Array.from({ length: count }, (_, n) => n));
          expect(probe.closed).toBe(1);
          expect(cursors.count).toBe(0);
        },
      ),
    );
  });

  it('are not left open when the first batch contains everything', () => {
    const probe = source(3);
    expect(read(new Cursors().start(probe, owner, new Budget(), 3))).toEqual({ places: [0, 1, 2], id: 0n });
    expect(probe.closed).toBe(1);
  });

  it('stay open after an empty first batch', () => {
    const cursors = new Cursors();
    const probe = source(2);
    const { places, id } = read(cursors.start(probe, owner, new Budget(), 0));
    expect(places).toEqual([]);
    expect(probe.taken).toBe(0);
    expect(read(cursors.next(id, owner, new Budget(), 10)).places).toEqual([0, 1]);
  });

  it('end after one batch when only one is requested', () => {
    const probe = source(50);
    expect(read(new Cursors().start(probe, owner, new Budget(), 10, true)).id).toBe(0n);
    expect(probe.closed).toBe(1);
  });

  it('release the snapshot early when the rest is small', () => {
    const probe = source(100);
    const { id } = read(new Cursors().start(probe, owner, new Budget(), 10));
    expect(id).not.toBe(0n);
    expect(probe.closed).toBe(1);
  });

  it('keep a batch within the size of one reply, and limit how far they read ahead', () => {
    const cursors = new Cursors();
    const probe = source(60, 1_000_000);
    const { places, id } = read(cursors.start(probe, owner, new Budget(), 60));
    expect(places).toHaveLength(16);
    expect(probe.taken).toBeLessThanOrEqual(18);
    expect(probe.closed).toBe(0);
    expect(read(cursors.next(id, owner, new Budget(), Number.POSITIVE_INFINITY)).places[0]).toBe(16);
  });

  it('are found only by their own collection and session', () => {
    const cursors = new Cursors();
    const { id } = read(cursors.start(source(100), owner, new Budget(), 1));
    expect(() => read(cursors.next(id, { ...owner, ns: 'd.other' }, new Budget(), 1))).toThrow(
      expect.objectContaining({ code: 13 }),
    );
    expect(() => read(cursors.next(id, { ...owner, session: 'b' }, new Budget(), 1))).toThrow(
      expect.objectContaining({ code: 50738 }),
    );
    expect(() => read(cursors.next(id, { ...owner, session: null }, new Budget(), 1))).toThrow(
      expect.objectContaining({ code: 50737 }),
    );
    expect(cursors.kill(id, 'd.other')).toBe(false);
    expect(cursors.kill(id, 'd.c')).toBe(true);
    expect(() => read(cursors.next(id, owner, new Budget(), 1))).toThrow(
      expect.objectContaining({ code: 43 }),
    );
  });

  it('end with their session', () => {
    const cursors = new Cursors();
    const mine = source(1000, 1000);
    const other = source(1000, 1000);
    read(cursors.start(mine, owner, new Budget(), 1));
    read(cursors.start(other, { ...owner, session: 'b' }, new Budget(), 1));
    cursors.killSession('a');
    expect([mine.closed, other.closed]).toEqual([1, 0]);
  });

  it('are closed when unused for a while', () => {
    const cursors = new Cursors();
    const probe = source(1000, 1000);
    read(cursors.start(probe, owner, new Budget(), 1));
    cursors.expire(Date.now() + CURSOR_IDLE_MS - 1000);
    expect(probe.closed).toBe(0);
    cursors.expire(Date.now() + CURSOR_IDLE_MS + 1000);
    expect(probe.closed).toBe(1);
  });

  it('are closed when reading fails', () => {
    const cursors = new Cursors();
    const probe = source(0);
    probe.documents = (function* () {
      yield new Uint8Array(8);
      throw new Error('disk');
    })();
    expect(() => read(cursors.start(probe, owner, new Budget(), 5))).toThrow('disk');
    expect(probe.closed).toBe(1);
    expect(cursors.count).toBe(0);
  });
});
