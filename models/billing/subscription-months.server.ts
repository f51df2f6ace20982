import { Schema, trusted, type Connection } from 'mongoose';
import {
  addSums,
  monthOf,
  nextMonth,
  startOfMonth,
  type EventSums,
} from '#app/domain/billing/revenue-figures.ts';
import { insertMissing } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** Revenue and events of one calendar month (UTC). */
export interface MonthFigures extends EventSums {
  /** `YYYY-MM`. */
  month: string;
}

/** A document of `subscription_months`: the sums of one calendar month (UTC) as of when they were counted. */
interface SubscriptionMonthRow extends EventSums {
  /** `YYYY-MM`. */
  _id: string;
  /** Incremented when an event of the month has been written. */
  revision: number;
  /** The revision that the sums were counted at; they are valid while it equals `revision`. Negative before the first count. */
  countedRevision: number;
}

const figure = { type: Number, required: true } as const;

const subscriptionMonthSchema = new Schema<SubscriptionMonthRow>(
  {
    _id: { type: String, required: true },
    revision: figure,
    countedRevision: figure,
    cents: figure,
    created: figure,
    canceled: figure,
    paid: figure,
    failed: figure,
  },
  { collection: 'subscription_months' },
);

function sumsOf({ cents, created, canceled, paid, failed }: EventSums): EventSums {
  return { cents, created, canceled, paid, failed };
}

/** Counts billing events from `from` (inclusive) to `to` (exclusive). */
type Count = (from: Date, to: Date) => Promise<EventSums>;

/**
 * Monthly sums of billing events, counted when first requested and cached until a late event of that month
 * arrives. A month has a document only once requested or once a late event has come, so events of the current month
 * cost nothing here.
 */
export function createSubscriptionMonths(connection: Connection) {
  const model = modelOf<SubscriptionMonthRow>(connection, 'SubscriptionMonth', subscriptionMonthSchema);

  async function countAndKeep(month: string, revision: number, count: Count): Promise<EventSums> {
    const sums = await count(startOfMonth(month), startOfMonth(nextMonth(month)));
    // Not stored if an event arrived meanwhile, because the sums may not include it.
    const stored = { ...sumsOf(sums), countedRevision: revision };
    await model.updateOne({ _id: month, revision }, { $set: stored });
    return sums;
  }

  return {
    /**
     * Records that a month has a new event, in the transaction that adds it. Sums are only requested of months that are
     * over. Such a month gets its document here if it has none: one created while this transaction runs would not be marked.
     */
    async markChanged(at: Date, now: Date): Promise<void> {
      if (monthOf(at) === monthOf(now)) return;
      const first = { countedRevision: -1, ...addSums([]) };
      await model.updateOne(
        { _id: monthOf(at) },
        { $inc: { revision: 1 }, $setOnInsert: first },
        { upsert: true },
      );
    },

    /** The sums of these months, in order; `count` is called for those that are not cached. */
    async list(months: readonly string[], count: Count): Promise<MonthFigures[]> {
      const rows = await model.find({ _id: trusted({ $in: months }) }).lean();
      const known = new Map(rows.map((row) => [row._id, row]));
      const missing = months.filter((month) => !known.has(month));
      // Created before counting, so that an event that arrives meanwhile has a document to mark.
      await insertMissing(
        model,
        missing.map((_id) => ({ _id, revision: 0, countedRevision: -1, ...addSums([]) })),
      );
      const figures: MonthFigures[] = [];
      for (const month of months) {
        const row = known.get(month);
        const isStored = row !== undefined && row.countedRevision === row.revision;
        const sums = isStored ? row : await countAndKeep(month, row?.revision ?? 0, count);
        figures.push({ month, ...sumsOf(sums) });
      }
      return figures;
    },
  };
}
