import { Schema, type InferSchemaType, trusted, type Connection } from 'mongoose';
import { insertUnlessTaken } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** The collections whose rows count: those without a limit of their own. */
export const COUNTED_COLLECTIONS: readonly string[] = [
  'calculations',
  'compounds',
  'doses',
  'injection_sites',
  'lots',
  'measurements',
  'nutrition',
  'orders',
  'schedules',
  'side_effects',
  'supplies',
];

/**
 * A document of `row_counts`: an upper bound of an account's rows. Each new row is counted before it is written;
 * removed rows stay counted until all rows are counted again, which happens when the account seems full.
 */
const rowCountSchema = new Schema(
  {
    /** The account's id. */
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    count: { type: Number, required: true },
    /** The rows are not counted again before this. */
    recountAfter: { type: Date, required: true },
  },
  { collection: 'row_counts' },
);

type RowCountRow = InferSchemaType<typeof rowCountSchema>;
rowCountSchema.index({ userId: 1 });

/** After a count, none follows for this many times its duration, so that repeated requests of a full account stay cheap. */
const RESTS_PER_COUNT = 20;

/** The number of rows that accounts have. Every call names the owner. */
export function createRowQuota(connection: Connection) {
  const model = modelOf<RowCountRow>(connection, 'RowCount', rowCountSchema);

  async function countRows(userId: string): Promise<number> {
    const counted = Object.values(connection.models).filter(({ collection }) =>
      COUNTED_COLLECTIONS.includes(collection.collectionName),
    );
    let sum = 0;
    for (const rows of counted) sum += await rows.countDocuments({ userId });
    return sum;
  }

  /** Corrects the count, unless that was done recently. */
  async function recount(userId: string, now: Date): Promise<void> {
    const known = await model.findOne({ userId, _id: userId }).lean();
    if (known !== null && known.recountAfter > now) return;
    const begin = performance.now();
    const count = await countRows(userId);
    const recountAfter = new Date(now.getTime() + (performance.now() - begin) * RESTS_PER_COUNT);
    if (known === null) await insertUnlessTaken(model, { _id: userId, userId, count, recountAfter });
    else {
      // Rows added meanwhile stay counted; only one of several concurrent recounts is applied.
      const asItWas = { userId, _id: userId, recountAfter: known.recountAfter };
      await model.updateOne(asItWas, { $inc: { count: count - known.count }, $set: { recountAfter } });
    }
  }

  const tryTake = async (userId: string, rows: number, most: number): Promise<boolean> => {
    const room = { userId, _id: userId, count: trusted({ $lte: most - rows }) };
    return (await model.updateOne(room, { $inc: { count: rows } })).matchedCount === 1;
  };

  const left = async (userId: string, most: number): Promise<number | null> => {
    const row = await model.findOne({ userId, _id: userId }).lean();
    return row === null ? null : Math.max(0, most - row.count);
  };

  return {
    /**
     * Reserves room for new rows, before they are written.
     * @param most the account's limit
     * @returns false when there is not enough room
     */
    async take(userId: string, rows: number, most: number, now: Date): Promise<boolean> {
      if (await tryTake(userId, rows, most)) return true;
      await recount(userId, now);
      return tryTake(userId, rows, most);
    },

    /** Counts rows that are written even if there is no room. */
    async add(userId: string, rows: number): Promise<void> {
      if (rows > 0) await model.updateOne({ userId, _id: userId }, { $inc: { count: rows } });
    },

    /** How many more rows fit. @param rowCount if fewer seem to fit, the rows are counted again */
    async room(userId: string, rowCount: number, most: number, now: Date): Promise<number> {
      const known = await left(userId, most);
      if (known !== null && known >= rowCount) return known;
      await recount(userId, now);
      return (await left(userId, most)) ?? 0;
    },
  };
}
