import { describe, expect, it } from 'vitest';
import { inBatches } from '#models/store/queries.server.ts';

/** A cursor over numbers that counts how often it is closed. */
function cursorOver(numbers: readonly number[]) {
  const left = [...numbers];
  const cursor = {
    closed: 0,
    next: (): Promise<number | null> => Promise.resolve(left.shift() ?? null),
    close(): Promise<void> {
      cursor.closed += 1;
      return Promise.resolve();
    },
  };
  return cursor;
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

const same = (row: number) => row;

describe('rows of a cursor', () => {
  it('come in batches of the given size, with none lost or duplicated', async () => {
    const rows = Array.from({ length: 23 }, (_, index) => index);
    const cursor = cursorOver(rows);
    const batches = await all(inBatches(cursor, (row) => row * 10, 5));
    expect(batches.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3]);
    expect(batches.flat()).toEqual(rows.map((row) => row * 10));
    expect(cursor.closed).toBe(1);
    expect(await all(inBatches(cursorOver([]), same))).toEqual([]);
  });

  it('end when their reader stops, and the cursor is closed', async () => {
    const cursor = cursorOver([1, 2, 3]);
    for await (const rows of inBatches(cursor, same, 2)) {
      expect(rows).toEqual([1, 2]);
      break;
    }
    expect(cursor.closed).toBe(1);
  });

  it('report why the query failed; a cursor that was never open is not closed', async () => {
    const cursor = cursorOver([]);
    cursor.next = () => Promise.reject(new Error('away'));
    await expect(all(inBatches(cursor, same))).rejects.toThrow('away');
    expect(cursor.closed).toBe(0);
  });
});
