/** The part of the driver's cursor that is used here, over documents left as bytes. */
interface RawCursor {
  hasNext(): Promise<boolean>;
  readBufferedDocuments(): unknown[];
  close(): Promise<void>;
}

/** Rows made at once: so few that what is made of them is gone before the garbage collector looks. */
const PIECE = 100;

/**
 * What a raw cursor gives, in pieces. While a batch is worked on the next one is fetched, one ahead and no more:
 * reading and using go on side by side, and a slow reader still holds the database back.
 * @param read makes a row of a document's bytes, which costs a third of the driver's own way through it
 */
export async function* batchesOf<T>(cursor: RawCursor, read: (bytes: Uint8Array) => T): AsyncGenerator<T[]> {
  try {
    let more = await cursor.hasNext();
    while (more) {
      const batch = cursor.readBufferedDocuments() as Uint8Array[];
      const next = cursor.hasNext();
      // Its failure is told when its turn comes, also when that is after this batch.
      next.catch(() => undefined);
      for (let from = 0; from < batch.length; from += PIECE) {
        yield batch.slice(from, from + PIECE).map((bytes) => read(bytes));
      }
      more = await next;
    }
  } finally {
    await cursor.close();
  }
}
