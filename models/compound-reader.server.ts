import { trusted, type Connection } from 'mongoose';
import { LOW_SHARE } from '#app/domain/vials/low-stock.ts';
import type { Vial, VialStatus, VialWithLedger } from '#app/domain/vials/vial-types.ts';
import type { VialFilter, VialSort } from '#app/domain/vials/vial-list-schema.ts';
import { COMPOUND_INDEXES, compoundSchema, type CompoundRow } from './compound.model.server.ts';
import { toVial, toVialWithLedger, type CompoundHead, type VialPosition } from './compound-row.server.ts';
import { directed, rangesBeyond, type SortFields } from './keyset.server.ts';
import { modelOf } from './model-of.server.ts';
import { containing } from './text-search.server.ts';
import { STREAM_BATCH } from './stream-batch.ts';

/** Part of a sorted list of vials. */
export interface VialSlice {
  sort: VialSort;
  filter: VialFilter;
  /** Text to find in name, lot or notes; '' for all. */
  search: string;
  /** The owner's today, for what is past its date. */
  day: string;
  limit: number;
  skip?: number;
  /** Begin after (backwards: before) this place. */
  from?: VialPosition | null;
  backwards?: boolean;
}

const SORTS: Readonly<Record<VialSort, SortFields>> = {
  name: Object.entries(COMPOUND_INDEXES.name).slice(1),
  expiry: Object.entries(COMPOUND_INDEXES.expiry).slice(1),
  remaining: Object.entries(COMPOUND_INDEXES.remaining).slice(1),
  added: Object.entries(COMPOUND_INDEXES.added).slice(1),
};

/** Active: neither used up nor thrown away. */
export const NOT_FINAL: VialStatus[] = ['sealed', 'reconstituted', 'in_use'];
const OPEN: VialStatus[] = ['reconstituted', 'in_use'];
const LOW = Number(LOW_SHARE);

/** A filter for some states. */
export const within = (statuses: VialStatus[]) => ({ status: trusted({ $in: statuses }) });

function chosen(filter: VialFilter, day: string): Record<string, unknown> {
  switch (filter) {
    case 'active':
      return within(NOT_FINAL);
    case 'open':
      return within(OPEN);
    case 'expired':
      return { ...within(NOT_FINAL), lastDay: trusted({ $lt: day }) };
    case 'low':
      return { ...within(OPEN), share: trusted({ $lte: LOW }) };
    case 'final':
      return within(['empty', 'discarded']);
    case 'all':
      return {};
  }
}

/** Two filters in one. Both may speak of one field: what is expired, and where a page begins. */
function both(filter: Record<string, unknown>, range: Record<string, unknown>): Record<string, unknown> {
  const clash = Object.keys(range).some((field) => field in filter);
  return clash ? { ...filter, $and: [range] } : { ...filter, ...range };
}

/** The projection for lists. */
export const WITHOUT_LEDGER = { ledger: 0, foldedCount: 0, foldedMg: 0 } as const;

/** Reads vials. Every call names the owner. */
export function createCompoundReader(connection: Connection) {
  const model = modelOf<CompoundRow>(connection, 'Compound', compoundSchema);

  const heads = (filter: Record<string, unknown>) => model.find(filter, WITHOUT_LEDGER);
  const whole = (userId: string, slice: Pick<VialSlice, 'filter' | 'day' | 'search'>) => ({
    userId,
    ...chosen(slice.filter, slice.day),
    ...containing(slice.search, ['name', 'lot', 'notes']),
  });

  async function list(userId: string, slice: VialSlice): Promise<Vial[]> {
    const { sort, from = null, backwards = false, limit, skip = 0 } = slice;
    const fields = SORTS[sort];
    const ranges = from === null ? [{}] : rangesBeyond(fields, from, backwards);
    const rows: CompoundHead[] = [];
    for (const range of ranges) {
      if (rows.length === limit) break;
      const query = heads(both(whole(userId, slice), range))
        .sort(directed(fields, backwards))
        .hint({ ...COMPOUND_INDEXES[sort] });
      rows.push(
        ...(await query
          .skip(skip)
          .limit(limit - rows.length)
          .lean()),
      );
    }
    return (backwards ? rows.reverse() : rows).map(toVial);
  }

  return {
    /** Part of a list, in the list's order also when it was read backwards. */
    list,

    async find(userId: string, id: string): Promise<VialWithLedger | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : toVialWithLedger(row);
    },

    /** How many vials a list has in all: reads the owner's rows once. */
    async count(userId: string, slice: Pick<VialSlice, 'filter' | 'day' | 'search'>): Promise<number> {
      return model.countDocuments(whole(userId, slice));
    },

    async countAll(userId: string): Promise<number> {
      return model.countDocuments({ userId });
    },

    /** Every vial of somebody, oldest first, a batch at a time. */
    async *stream(userId: string): AsyncGenerator<Vial[]> {
      const query = heads({ userId })
        .sort({ createdAt: 1, _id: 1 })
        .hint({ ...COMPOUND_INDEXES.added });
      let batch: Vial[] = [];
      for await (const row of query.lean().cursor({ batchSize: STREAM_BATCH })) {
        if (batch.push(toVial(row)) < STREAM_BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
  };
}
