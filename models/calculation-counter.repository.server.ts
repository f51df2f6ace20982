import { trusted, type Connection } from 'mongoose';
import { calculationCounterSchema, type CalculationCounterRow } from './calculation-counter.model.server.ts';
import { KEPT } from './calculation.model.server.ts';
import { shelfFilter, shelfKey, type Shelf, type ShelfTotals } from './calculation-scope.server.ts';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A counter as it stands; hand it back to `replace` to be told when it has changed since. */
export interface CounterState extends ShelfTotals {
  generation: number;
  revision: number;
  pending: { id: string; at: Date }[];
}

/** A write that has begun. */
export interface OpenWrite {
  shelf: Shelf;
  id: string;
  generation: number;
}

const EMPTY: CounterState = {
  generation: 0,
  revision: 0,
  pending: [],
  total: 0,
  names: 0,
  concentrationWhole: 0,
  concentrationNano: 0,
};

const identity = (shelf: Shelf) => ({ _id: shelfKey(shelf), ...shelfFilter(shelf) });

/** A pending write of the beginning of time: the next reader counts anew. */
const stale = (id: string) => ({ $push: { pending: { id, at: new Date(0) } }, $inc: { revision: 1 } });

/** Totals that are kept with each write, so that reading them costs the same in any history. */
export function createCalculationCounters(connection: Connection) {
  const model = modelOf<CalculationCounterRow>(connection, 'CalculationCounter', calculationCounterSchema);
  return {
    /** Notes that a write begins. Must be followed by `finish`; a write that never finishes leads to a recount. */
    async begin(shelf: Shelf, id: string, at: Date): Promise<OpenWrite> {
      const change = { $push: { pending: { id, at } }, $inc: { revision: 1 } };
      const row = await retryOnDuplicate(() =>
        model.findOneAndUpdate(identity(shelf), change, { upsert: true, returnDocument: 'after' }).lean(),
      );
      return { shelf, id, generation: row?.generation ?? 0 };
    },

    /** Adds to the totals and closes the write. */
    async finish(write: OpenWrite, added: Partial<ShelfTotals>): Promise<void> {
      const closed = await model.updateOne(
        { ...identity(write.shelf), generation: write.generation },
        { $inc: { revision: 1, ...added }, $pull: { pending: { id: write.id } } },
      );
      // Counted anew in between, perhaps without this row: have it counted once more.
      if (closed.matchedCount === 0) await model.updateOne(identity(write.shelf), stale(write.id));
    },

    /** Asks for a recount, after rows have moved between shelves. */
    async markStale(shelf: Shelf): Promise<void> {
      await retryOnDuplicate(() => model.updateOne(identity(shelf), stale('moved'), { upsert: true }));
    },

    async read(shelf: Shelf): Promise<CounterState> {
      return (await model.findOne(identity(shelf)).lean()) ?? EMPTY;
    },

    /** Puts a recount in place, unless a write began or ended since `state` was read. @returns whether it was */
    async replace(
      shelf: Shelf,
      state: CounterState,
      generation: number,
      totals: ShelfTotals,
    ): Promise<boolean> {
      const result = await model.updateOne(
        { ...identity(shelf), revision: state.revision },
        { $set: { generation, ...totals, pending: [] }, $inc: { revision: 1 } },
      );
      return result.modifiedCount === 1;
    },

    async clear(shelf: Shelf): Promise<void> {
      await model.deleteMany(shelfFilter(shelf));
    },

    /** The sign-ins that have totals. */
    async listSignIns(userId: string): Promise<string[]> {
      const rows = await model.find({ userId, shelf: trusted({ $ne: KEPT }) }, { shelf: 1 }).lean();
      return rows.map((row) => row.shelf);
    },
  };
}

export type CalculationCounters = ReturnType<typeof createCalculationCounters>;
