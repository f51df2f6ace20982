import { Schema, trusted, type Connection } from 'mongoose';
import { insertUnlessTaken } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** The collections whose rows count: those that people fill without another limit of their own. */
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
 * A document of `row_counts`: how many rows an account has, at most. Each new row is added here before it is written,
 * and a removed one stays until the rows themselves are counted again, which happens when the account seems full.
 */
interface RowCountRow {
  /** The account's id. */
  _id: string;
  userId: string;
  count: number;
  /** Nobody counts the rows again before. */
  recountAfter: Date;
}

const rowCountSchema = new Schema<RowCountRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    count: { type: Number, required: true },
    recountAfter: { type: Date, required: true },
  },
  { collection: 'row_counts' },
);
rowCountSchema.index({ userId: 1 });

/** Counting takes at most this share of the time: a full account that asks again and again costs no more. */
const RESTS_PER_COUNT = 20;

/** How many rows accounts have. Every call names the owner. */
export function createRowQuota(connection: Connection) {
  const model = modelOf<RowCountRow>(connection, 'RowCount', rowCountSchema);

  async function countRows(userId: string): Promise<number> {
    const counted = Object.values(connection.models).filter(({ collection }) =>
      COUNTED_COLLECTIONS.includes(collection.collectionName),
    );
    const counts = await Promise.all(counted.map((rows) => rows.countDocuments({ userId })));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Puts the count right, unless that was done a moment ago. */
  async function recount(userId: string, now: Date): Promise<void> {
    const known = await model.findOne({ userId, _id: userId }).lean();
    if (known !== null && known.recountAfter > now) return;
    const begin = performance.now();
    const count = await countRows(userId);
    const recountAfter = new Date(now.getTime() + (performance.now() - begin) * RESTS_PER_COUNT);
    if (known === null) await insertUnlessTaken(model, { _id: userId, userId, count, recountAfter });
    else {
      // What others took meanwhile stays taken; of several that count at once, one changes it.
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
     * Takes room for new rows, before they are written.
     * @param most rows that the account may have
     * @returns false when there is none
     */
    async take(userId: string, rows: number, most: number, now: Date): Promise<boolean> {
      if (await tryTake(userId, rows, most)) return true;
      await recount(userId, now);
      return tryTake(userId, rows, most);
    },

    /** Counts rows that are written whether there is room or not. */
    async add(userId: string, rows: number): Promise<void> {
      if (rows > 0) await model.updateOne({ userId, _id: userId }, { $inc: { count: rows } });
    },

    /** How many more rows there is room for. @param wanted counts the rows again when there seems to be less room */
    async room(userId: string, wanted: number, most: number, now: Date): Promise<number> {
      const known = await left(userId, most);
      if (known !== null && known >= wanted) return known;
      await recount(userId, now);
      return (await left(userId, most)) ?? 0;
    },
  };
}
