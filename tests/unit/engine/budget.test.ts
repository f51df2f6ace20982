import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atOnce,
  Budget,
  checkBudget,
  gather,
  isSliceOver,
  PAUSE,
  run,
  sorted,
  tryAtOnce,
  unpaused,
  within,
  type Steps,
} from '#models/engine/budget.ts';
import { EngineError } from '#models/engine/errors.ts';

/** Works until its slice is over, so many times; notes whose turn it was. */
function* work(name: string, slices: number, turns: string[] = []): Steps<string> {
  for (let n = 0; n < slices; n += 1) {
    while (!isSliceOver());
    turns.push(name);
    yield PAUSE;
  }
  return name;
}

describe('work in slices', () => {
  it('takes turns, one slice each', async () => {
    const turns: string[] = [];
    expect(await Promise.all(['a', 'b', 'c'].map((name) => run(work(name, 3, turns))))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(turns.join('')).toBe('abcabcabc');
  });

  it('lets the event loop turn between two slices', async () => {
    let rounds = 0;
    const timer = setImmediate(function again() {
      rounds += 1;
      setImmediate(again).unref();
    });
    await run(work('a', 5));
    clearImmediate(timer);
    expect(rounds).toBeGreaterThanOrEqual(4);
  });

  it('finishes at once if it is short', () => {
    expect(run(gather([1, 2, 3]))).toEqual([1, 2, 3]);
    expect(isSliceOver()).toBe(false);
  });

  it('gives a writer every other turn', async () => {
    const turns: string[] = [];
    await Promise.all([run(work('a', 3, turns)), run(work('b', 3, turns)), run(work('W', 4, turns), true)]);
    expect(turns.join('').slice(3)).toMatch(/^(.W|W.)/);
    expect(turns.lastIndexOf('W')).toBeLessThan(turns.length - 1);
  });

  it('passes on a failure', async () => {
    const failing = function* (): Steps<never> {
      yield* work('a', 1);
      throw new Error('broken');
    };
    await expect(run(failing())).rejects.toThrow('broken');
  });

  it('can be tried, and is aborted when it takes too long', () => {
    let isEnded = false;
    const steps = function* (): Steps<string> {
      try {
        return yield* work('a', 1);
      } finally {
        isEnded = true;
      }
    };
    expect(tryAtOnce(steps(), 1)).toBeNull();
    expect(isEnded).toBe(true);
    expect(tryAtOnce(gather([1]), 1)).toEqual({ value: [1] });
  });
});

describe('a budget', () => {
  it('ends its work from outside, which may tidy up', async () => {
    const budget = new Budget();
    const seen: unknown[] = [];
    const steps = function* (): Steps<void> {
      try {
        yield* work('a', 1000);
      } catch (error) {
        seen.push(error);
        throw error;
      }
    };
    const reason = new EngineError('Interrupted', 'enough');
    const ended = run(within(budget, steps()));
    budget.end(reason);
    await expect(ended).rejects.toBe(reason);
    expect(seen).toEqual([reason]);
  });

  it('ends after its time limit, even in code that cannot pause', async () => {
    expect(new Budget().leftMs).toBeNull();
    const budget = new Budget(1000);
    budget.limit(0);
    // oxlint-disable-next-line require-yield
    const steps = function* (): Steps<void> {
      for (;;) checkBudget();
    };
    await expect(async () => run(within(budget, steps()))).rejects.toMatchObject({ code: 50 });
    expect(() => checkBudget()).not.toThrow();
  });
});

describe('sorting in slices', () => {
  it('sorts like Array.prototype.sort, stably, at any length', () => {
    const items = fc.array(fc.tuple(fc.nat(40), fc.nat()), { maxLength: 3000 });
    const compare = (a: [number, number], b: [number, number]) => a[0] - b[0];
    fc.assert(
      fc.property(items, (given) => {
        expect(atOnce(sorted(given, compare))).toEqual([...given].sort(compare));
      }),
      { numRuns: 50 },
    );
    const long = Array.from({ length: 5000 }, (_, n): [number, number] => [(n * 7919) % 100, n]);
    expect(atOnce(sorted(long, compare))).toEqual([...long].sort(compare));
  });

  it('returns values unchanged without their pauses', () => {
    expect([...unpaused([1, PAUSE, 2, PAUSE])]).toEqual([1, 2]);
  });
});
