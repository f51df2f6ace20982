/**
 * Documents that a stream fetches at a time. Without a size the driver asks for up to 16 MB, all of it in memory at
 * once, and the memory of a stream then grows with its length.
 */
export const STREAM_BATCH = 50;
