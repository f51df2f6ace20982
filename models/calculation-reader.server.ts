import { trusted, type Connection, type QueryFilter } from 'mongoose';
import type { HistoryEntry, HistorySort } from '#app/domain/calculator/history-schema.ts';
import type { InstantRange } from '#app/domain/time/days.ts';
import { batchesOf } from './batches.server.ts';
import { calculationSchema, KEPT, type CalculationRow } from './calculation.model.server.ts';
import { readEntry, toEntry } from './calculation-row.server.ts';
import { shelfFilter, type Shelf } from './calculation-scope.server.ts';
import { indexOf, rangesAfter, sortOf, type HistoryPosition } from './history-ranges.server.ts';
import { modelOf } from './model-of.server.ts';

/** Whose calculations, and which of them: those that are kept, and those of one sign-in. */
export interface CalculationScope {
  userId: string;
  /** The sign-in whose session-only calculations count too; null for none. */
  signInId: string | null;
}

/** Part of a sorted list. */
export interface HistorySlice {
  sort: HistorySort;
  /** Text to find in name or notes; '' for all. */
  search: string;
  limit: number;
  /** Begin after (backwards: before) this place; null begins at the list's first (backwards: last) row. */
  from: HistoryPosition | null;
  backwards: boolean;
  /** Rows to leave out at the beginning. */
  skip: number;
}

function within(scope: CalculationScope): QueryFilter<CalculationRow> {
  const shelves = scope.signInId === null ? [KEPT] : [KEPT, scope.signInId];
  return { userId: scope.userId, shelf: trusted({ $in: shelves }) };
}

/** Every character of the text stands for itself. */
function matching(search: string): QueryFilter<CalculationRow> {
  if (search === '') return {};
  const pattern = trusted({ $regex: search.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), $options: 'i' });
  return { $or: [{ peptideName: pattern }, { notes: pattern }] };
}

function during(range: InstantRange): QueryFilter<CalculationRow> {
  const bounds = { ...(range.from && { $gte: range.from }), ...(range.before && { $lt: range.before }) };
  return Object.keys(bounds).length === 0 ? {} : { createdAt: trusted(bounds) };
}

/** Rows read from the database at once while streaming. */
const STREAM_BATCH = 1000;

/** Reads saved calculations. Every call names the owner. */
export function createCalculationReader(connection: Connection) {
  const model = modelOf<CalculationRow>(connection, 'Calculation', calculationSchema);

  async function read(scope: CalculationScope, slice: HistorySlice, range: object, limit: number) {
    return model
      .find({ ...within(scope), ...matching(slice.search), ...range })
      .sort(sortOf(slice.sort, slice.backwards))
      .hint(indexOf(slice.sort))
      .skip(slice.skip)
      .limit(limit)
      .lean();
  }

  /** Straight from the driver: these are many rows, and every layer between costs as much as reading them. */
  async function* scan(
    filter: object,
    sort: HistorySort,
    backwards: boolean,
  ): AsyncGenerator<HistoryEntry[]> {
    const order = { sort: sortOf(sort, backwards), hint: indexOf(sort) };
    const options = { ...order, batchSize: STREAM_BATCH, raw: true };
    const cursor = model.collection.find(filter as Record<string, unknown>, options);
    yield* batchesOf(cursor, readEntry);
  }

  return {
    async find(scope: CalculationScope, id: string): Promise<HistoryEntry | null> {
      const row = await model.findOne({ ...within(scope), _id: id }).lean();
      return row === null ? null : toEntry(row);
    },

    /** Part of a list, in the list's order also when it was read backwards. */
    async list(scope: CalculationScope, slice: HistorySlice): Promise<HistoryEntry[]> {
      const ranges = slice.from === null ? [{}] : rangesAfter(slice.from, slice.sort, slice.backwards);
      const rows: CalculationRow[] = [];
      for (const range of ranges) {
        if (rows.length === slice.limit) break;
        rows.push(...(await read(scope, slice, range, slice.limit - rows.length)));
      }
      return (slice.backwards ? rows.reverse() : rows).map(toEntry);
    },

    /** How many rows a search finds: reads the owner's rows once. */
    async countMatches(scope: CalculationScope, search: string): Promise<number> {
      return model.countDocuments({ ...within(scope), ...matching(search) });
    },

    /** How many rows were made during a range, from the index alone where the database can. */
    async countDuring(scope: CalculationScope, range: InstantRange): Promise<number> {
      return model.countDocuments({ ...within(scope), ...during(range) }).hint(indexOf('date'));
    },

    /** Rows made during a range, oldest first, a batch at a time: a promise for each row would cost more than the row. */
    stream(scope: CalculationScope, range: InstantRange): AsyncIterable<HistoryEntry[]> {
      return scan({ ...within(scope), ...during(range) }, 'date', true);
    },

    /** Every row of one shelf in order of the names, for counting it anew. */
    streamShelf(shelf: Shelf): AsyncIterable<HistoryEntry[]> {
      return scan(shelfFilter(shelf), 'name', false);
    },
  };
}

export type CalculationReader = ReturnType<typeof createCalculationReader>;
