import { Schema, type InferSchemaType, trusted, type Connection } from 'mongoose';
import { isInTransaction } from '../store/transaction.server.ts';
import { isDuplicateKey } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `throttles`: how often something happened since its window began. */
const throttleSchema = new Schema(
  {
    /** What is counted and for whom. */
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'throttles' },
);

type ThrottleRow = InferSchemaType<typeof throttleSchema>;

throttleSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** The state of a bucket. */
interface Bucket {
  count: number;
  expiresAt: Date;
}

/**
 * Counted events in windows that begin with the first event. Each count is one atomic update of one document keyed
 * by the bucket, so it holds for any number of processes.
 *
 * Our own model rather than a rate-limiting package's store: those need a unique index on the bucket, which
 * a sharded deployment cannot have, and they read the machine's clock, while this program passes the time in.
 */
export function createThrottleRepository(connection: Connection) {
  const model = modelOf<ThrottleRow>(connection, 'Throttle', throttleSchema);

  /** Begins a new window of a bucket whose window is over. @returns whether it was over */
  async function begin(key: string, now: Date, expiresAt: Date): Promise<boolean> {
    const over = { _id: key, expiresAt: trusted({ $lte: now }) };
    return (await model.updateOne(over, { $set: { count: 1, expiresAt } })).modifiedCount === 1;
  }

  async function hit(key: string, now: Date, windowMs: number, attempts = 5): Promise<Bucket> {
    const expiresAt = new Date(now.getTime() + windowMs);
    // A transaction cannot go on after it met a duplicate key.
    if (isInTransaction() && (await begin(key, now, expiresAt))) return { count: 1, expiresAt };
    try {
      const row = await model
        .findOneAndUpdate(
          { _id: key, expiresAt: trusted({ $gt: now }) },
          { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean();
      return row ?? { count: 1, expiresAt };
    } catch (error) {
      if (!isDuplicateKey(error) || attempts === 0) throw error;
    }
    // The bucket exists: either its window is over and a new one begins, or another process has just created it.
    if (await begin(key, now, expiresAt)) return { count: 1, expiresAt };
    return hit(key, now, windowMs, attempts - 1);
  }

  return {
    /** Counts one event. @returns the bucket afterwards */
    hit: (key: string, now: Date, windowMs: number) => hit(key, now, windowMs),

    /** The current bucket; null when its window is over or nothing was counted. */
    async peek(key: string, now: Date): Promise<Bucket | null> {
      const row = await model.findOne({ _id: key, expiresAt: trusted({ $gt: now }) }).lean();
      return row === null ? null : { count: row.count, expiresAt: row.expiresAt };
    },

    async clear(key: string): Promise<void> {
      await model.deleteOne({ _id: key });
    },
  };
}
