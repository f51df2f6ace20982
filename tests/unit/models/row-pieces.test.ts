import { describe, expect, it } from 'vitest';
import { inBatches, piecesOf } from '#models/queries.server.ts';

/** A cursor over pieces that arrive one after the other, as mongoose's is: the driver's behind it has the whole piece. */
function cursorOver(pieces: number[][]) {
  const asked = { next: 0, closed: 0 };
  let left: number[] = [];
  const cursor = {
    ...{ asked, cursor: undefined as undefined | { readBufferedDocuments(): number[] } },
    next(): Promise<number | null> {
      asked.next += 1;
      cursor.cursor = { readBufferedDocuments: () => left.splice(0) };
      if (left.length === 0) left = pieces.shift() ?? [];
      return Promise.resolve(left.shift() ?? null);
    },
    close(): Promise<void> {
      asked.closed += 1;
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

describe('rows of a cursor', () => {
  it('are passed on in the batches in which they arrive, with one request per batch', async () => {
    const cursor = cursorOver([[1, 2, 3], [4], [5, 6]]);
    expect(await all(piecesOf(cursor))).toEqual([[1, 2, 3], [4], [5, 6]]);
    expect(cursor.asked).toEqual({ next: 4, closed: 1 });
  });

  it('come in batches of the given size, with none lost or duplicated', async () => {
    const rows = Array.from({ length: 23 }, (_, index) => index);
    const batches = await all(
      inBatches(cursorOver([rows.slice(0, 7), rows.slice(7, 8), rows.slice(8)]), (row) => row * 10, 5),
    );
    expect(batches.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3]);
    expect(batches.flat()).toEqual(rows.map((row) => row * 10));
    expect(await all(inBatches(cursorOver([]), (row) => row))).toEqual([]);
  });

  it('end when their reader stops, and the cursor is closed', async () => {
    const cursor = cursorOver([[1, 2], [3]]);
    for await (const rows of piecesOf(cursor)) {
      expect(rows).toEqual([1, 2]);
      break;
    }
    expect(cursor.asked).toEqual({ next: 1, closed: 1 });
  });

  it('report why the query failed', async () => {
    const cursor = cursorOver([]);
    cursor.next = () => Promise.reject(new Error('away'));
    await expect(all(piecesOf(cursor))).rejects.toThrow('away');
    expect(cursor.asked.closed).toBe(0);
  });
});
