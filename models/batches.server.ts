/** The part of the driver's cursor that is used here. */
interface BufferedCursor<T> {
  hasNext(): Promise<boolean>;
  readBufferedDocuments(): T[];
  close(): Promise<void>;
}

/** What a cursor gives, in the pieces the database sends. Closes the cursor when the reader stops early. */
export async function* batchesOf<T>(cursor: BufferedCursor<T>): AsyncGenerator<T[]> {
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}
