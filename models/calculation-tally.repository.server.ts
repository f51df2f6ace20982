import { trusted, type Connection } from 'mongoose';
import { calculationTallySchema, type CalculationTallyRow } from './calculation-counter.model.server.ts';
import { UNNAMED } from './calculation-row.server.ts';
import { shelfFilter, shelfKey, type Share, type Shelf } from './calculation-scope.server.ts';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** Of names, or of days. */
export type TallyKind = CalculationTallyRow['kind'];

/** A set of tallies of one shelf. */
export interface TallySet {
  shelf: Shelf;
  generation: number;
}

function idOf({ shelf, generation }: TallySet, kind: TallyKind, key: string): string {
  return `${shelfKey(shelf)}/${generation}/${kind}/${key}`;
}

function filterOf({ shelf, generation }: TallySet, kind: TallyKind) {
  return { ...shelfFilter(shelf), generation, kind };
}

/** How many calculations of a shelf have a name, or were made on a day. */
export function createCalculationTallies(connection: Connection) {
  const model = modelOf<CalculationTallyRow>(connection, 'CalculationTally', calculationTallySchema);

  /** @returns the tally with the step in it; one that has come down to nothing goes */
  async function step(set: TallySet, kind: TallyKind, key: string, by: 1 | -1): Promise<number> {
    const identity = { _id: idOf(set, kind, key), ...shelfFilter(set.shelf) };
    const change = { $inc: { count: by }, $setOnInsert: { generation: set.generation, kind, key } };
    const row = await retryOnDuplicate(() =>
      model.findOneAndUpdate(identity, change, { upsert: true, returnDocument: 'after' }).lean(),
    );
    const count = row?.count ?? 0;
    if (count <= 0) await model.deleteOne({ ...identity, count: trusted({ $lte: 0 }) });
    return count;
  }

  return {
    /** Counts one calculation in or out. @returns by how much the number of different names changes */
    async count(set: TallySet, share: Share, by: 1 | -1): Promise<number> {
      const named = share.nameKey === UNNAMED ? null : step(set, 'name', share.nameKey, by);
      const [count] = await Promise.all([named, step(set, 'day', share.day, by)]);
      if (count === null) return 0;
      if (by === 1) return count === 1 ? 1 : 0;
      return count === 0 ? -1 : 0;
    },

    /** The different names. Meant for the shelf of a sign-in, which one session has filled. */
    async nameKeys(set: TallySet): Promise<string[]> {
      const rows = await model.find(filterOf(set, 'name'), { key: 1 }).lean();
      return rows.map((row) => row.key);
    },

    /** How many of these names there are. */
    async countNames(set: TallySet, keys: readonly string[]): Promise<number> {
      return model.countDocuments({ ...filterOf(set, 'name'), key: trusted({ $in: [...keys] }) });
    },

    /** Calculations made on days of UTC from the first (included) to the end (excluded); null is open. */
    async sumDays(set: TallySet, from: string | null, before: string | null): Promise<number> {
      const bounds = { ...(from !== null && { $gte: from }), ...(before !== null && { $lt: before }) };
      const key = Object.keys(bounds).length === 0 ? {} : { key: trusted(bounds) };
      const rows = await model.find({ ...filterOf(set, 'day'), ...key }, { count: 1 }).lean();
      return rows.reduce((sum, row) => sum + row.count, 0);
    },

    /** Writes tallies of a set that does not count yet. */
    async write(
      set: TallySet,
      kind: TallyKind,
      counts: readonly (readonly [string, number])[],
    ): Promise<void> {
      const rows = counts.map(([key, count]) => ({
        _id: idOf(set, kind, key),
        ...filterOf(set, kind),
        key,
        count,
      }));
      if (rows.length > 0) await model.insertMany(rows);
    },

    /** Removes a set. */
    async drop({ shelf, generation }: TallySet): Promise<void> {
      await model.deleteMany({ ...shelfFilter(shelf), generation });
    },

    /** Removes all sets of a shelf. */
    async clear(shelf: Shelf): Promise<void> {
      await model.deleteMany(shelfFilter(shelf));
    },
  };
}

export type CalculationTallies = ReturnType<typeof createCalculationTallies>;
