/**
 * Documents that a stream fetches at a time. Without a size the driver asks for up to 16 MB, all of it in memory at
 * once, and the memory of a stream then grows with its length.
 */
export const STREAM_BATCH = 50;

/** What a cursor gives, made into records, {@link STREAM_BATCH} at a time. */
export async function* inBatches<Row, T>(
  rows: AsyncIterable<Row>,
  read: (row: Row) => T,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    if (batch.push(read(row)) < STREAM_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
