import { MINUTE_MS } from '#app/domain/time/durations.ts';

/**
 * Documents that a stream fetches at a time. Without a size the driver asks for up to 16 MB, all of it in memory at
 * once, and the memory of a stream then grows with its length.
 */
export const STREAM_BATCH = 50;

/**
 * How long the database may work on the rows of a stream, all of them together, in ms: an export of the largest account
 * takes minutes, and whoever reads it may be slow.
 */
const STREAM_MS = 10 * MINUTE_MS;

/** Options of a cursor that reads many rows, whether or not it gives them in batches of this size. */
export const STREAMING = { batchSize: STREAM_BATCH, maxTimeMS: STREAM_MS } as const;

/** What a cursor gives, made into records, `size` at a time. */
export async function* inBatches<Row, T>(
  rows: AsyncIterable<Row>,
  read: (row: Row) => T,
  size = STREAM_BATCH,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    if (batch.push(read(row)) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
