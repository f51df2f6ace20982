/** Limits for clients, the same as a MongoDB 7.0 server announces in its handshake. In bytes, unless named as counts. */
export const LIMITS = {
  /** Largest stored document. */
  documentBytes: 16 * 1024 * 1024,
  /** Largest BSON object inside a message: a document plus room for the command around it. */
  objectBytes: 16 * 1024 * 1024 + 16 * 1024,
  /** Largest message, header included. */
  messageBytes: 48_000_000,
  /** Largest message of a client that has not signed in: a handshake is a few kB. */
  strangerMessageBytes: 64 * 1024,
  /** Most statements in one insert, update or delete. */
  batchCount: 100_000,
} as const;
