import { describe, expect, test } from 'vitest';
import { atOnce, PAUSE, type Steps } from '#models/engine/budget.ts';
import { runBatch, type BatchResult } from '#models/engine/commands/batch.ts';
import type { CommandContext } from '#models/engine/commands/context.ts';
import { EngineError } from '#models/engine/errors.ts';
import type { WriteView } from '#models/engine/storage/index.ts';

/** Counts the writes of a batch and what runs in a transaction within one; `store` is what a write does at its end. */
function counted(store: () => void = () => undefined) {
  const counts = { writes: 0, within: 0 };
  const view = {
    attempt: (fn: () => unknown) => {
      counts.within += 1;
      return fn();
    },
  } as unknown as WriteView;
  const context = {
    request: { session: null, retryNumber: null, transaction: null },
    change: async (steps: (txn: WriteView) => Steps<unknown>) => {
      counts.writes += 1;
      try {
        return atOnce(steps(view));
      } finally {
        store();
      }
    },
    readSteps: (steps: (view: unknown) => Steps<unknown>) => atOnce(steps(view)),
  } as unknown as CommandContext;
  const batch = (count: number, run: (isChosen: boolean) => Steps<{ n: number }>): Promise<BatchResult> =>
    runBatch(context, {
      count,
      ordered: false,
      run: (_txn, _index, choice) => run(choice !== null),
      // oxlint-disable-next-line require-yield
      *choose() {
        return { collId: 1, ids: [] };
      },
    });
  return { counts, batch };
}

// oxlint-disable-next-line require-yield
function* one(): Steps<{ n: number }> {
  return { n: 1 };
}

// oxlint-disable-next-line require-yield
function* refused(): Steps<{ n: number }> {
  throw new EngineError('DuplicateKey', 'it is there');
}

describe('a batch', () => {
  test('of one statement needs no transaction within its write', async () => {
    const { counts, batch } = counted();
    expect((await batch(1, one)).n).toBe(1);
    expect(counts).toEqual({ writes: 1, within: 0 });
  });

  test('of several undoes each alone', async () => {
    const { counts, batch } = counted();
    expect((await batch(3, one)).n).toBe(3);
    expect(counts).toEqual({ writes: 1, within: 3 });
  });

  test('tells of an only statement that was refused', async () => {
    const { batch } = counted();
    const { n, writeErrors } = await batch(1, refused);
    expect(n).toBe(0);
    expect(writeErrors).toMatchObject([{ index: 0, code: 11000 }]);
  });

  test('fails as a whole when what it wrote cannot be stored', async () => {
    const { batch } = counted(() => {
      throw new EngineError('InternalError', 'Storage error: the disk is gone');
    });
    await expect(batch(1, one)).rejects.toThrow('the disk is gone');
  });

  test('fails as a whole when it was refused for what could not be stored', async () => {
    const { batch } = counted(() => {
      throw new EngineError('OutOfDiskSpace', 'The disk is full.');
    });
    await expect(batch(1, refused)).rejects.toThrow('The disk is full.');
  });

  test('chooses first what an only statement changes that takes long', async () => {
    const { counts, batch } = counted();
    const chosen: boolean[] = [];
    const { n } = await batch(1, function* (isChosen): Steps<{ n: number }> {
      chosen.push(isChosen);
      if (!isChosen) yield PAUSE;
      return { n: 1 };
    });
    expect(n).toBe(1);
    expect(chosen).toEqual([false, true]);
    expect(counts.writes).toBe(2);
  });
});
