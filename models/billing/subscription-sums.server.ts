import { Schema, trusted, type Connection } from 'mongoose';
import {
  addSums,
  dayOf,
  monthOf,
  nextDay,
  nextMonth,
  startOfDay,
  startOfMonth,
  type EventSums,
} from '#app/domain/billing/revenue-figures.ts';
import { insertMissing } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `subscription_months` or `subscription_days`: the sums of one month or day (UTC) as of when they were counted. */
interface SubscriptionSumsRow extends EventSums {
  /** `YYYY-MM` or `YYYY-MM-DD`. */
  _id: string;
  /** Incremented when an event of the period has been written. */
  revision: number;
  /** The revision that the sums were counted at; they are valid while it equals `revision`. Negative before the first count. */
  countedRevision: number;
}

const figure = { type: Number, required: true } as const;

const schemaOf = (collection: string) =>
  new Schema<SubscriptionSumsRow>(
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
    { collection },
  );

function sumsOf({ cents, created, canceled, paid, failed }: EventSums): EventSums {
  return { cents, created, canceled, paid, failed };
}

/** A way to divide time into periods with names that sort by time. */
interface Periods {
  model: string;
  schema: Schema<SubscriptionSumsRow>;
  nameOf: (at: Date) => string;
  startOf: (name: string) => Date;
  next: (name: string) => string;
}

const MONTHS: Periods = {
  ...{ model: 'SubscriptionMonth', schema: schemaOf('subscription_months') },
  ...{ nameOf: monthOf, startOf: startOfMonth, next: nextMonth },
};

const DAYS: Periods = {
  ...{ model: 'SubscriptionDay', schema: schemaOf('subscription_days') },
  ...{ nameOf: dayOf, startOf: startOfDay, next: nextDay },
};

/** Counts billing events from `from` (inclusive) to `to` (exclusive). */
type Count = (from: Date, to: Date) => Promise<EventSums>;

/**
 * Sums of billing events by period, counted when first requested and cached until a late event of that period
 * arrives. A period has a document only once requested or once a late event has come, so events of the current one
 * cost nothing here.
 */
function createSums(connection: Connection, { model: name, schema, nameOf, startOf, next }: Periods) {
  const model = modelOf<SubscriptionSumsRow>(connection, name, schema);

  async function countAndKeep(period: string, revision: number, count: Count): Promise<EventSums> {
    const sums = await count(startOf(period), startOf(next(period)));
    // Not stored if an event arrived meanwhile, because the sums may not include it.
    const stored = { ...sumsOf(sums), countedRevision: revision };
    await model.updateOne({ _id: period, revision }, { $set: stored });
    return sums;
  }

  return {
    /**
     * Records that a period has a new event, in the transaction that adds it. Sums are only requested of periods that are
     * over. Such a period gets its document here if it has none: one created while this transaction runs would not be marked.
     */
    async markChanged(at: Date, now: Date): Promise<void> {
      if (nameOf(at) === nameOf(now)) return;
      const first = { countedRevision: -1, ...addSums([]) };
      await model.updateOne(
        { _id: nameOf(at) },
        { $inc: { revision: 1 }, $setOnInsert: first },
        { upsert: true },
      );
    },

    /** Has all periods counted again when they are requested next, for events that an older version did not record here. */
    async markAllChanged(): Promise<void> {
      await model.updateMany({}, { $inc: { revision: 1 } });
    },

    /** The sums of these periods, in order; `count` is called for those that are not cached. */
    async list(periods: readonly string[], count: Count): Promise<EventSums[]> {
      const rows = await model.find({ _id: trusted({ $in: periods }) }).lean();
      const known = new Map(rows.map((row) => [row._id, row]));
      const missing = periods.filter((period) => !known.has(period));
      // Created before counting, so that an event that arrives meanwhile has a document to mark.
      await insertMissing(
        model,
        missing.map((_id) => ({ _id, revision: 0, countedRevision: -1, ...addSums([]) })),
      );
      const figures: EventSums[] = [];
      for (const period of periods) {
        const row = known.get(period);
        const isStored = row !== undefined && row.countedRevision === row.revision;
        figures.push(sumsOf(isStored ? row : await countAndKeep(period, row?.revision ?? 0, count)));
      }
      return figures;
    },
  };
}

/** Sums of billing events by calendar month (UTC). */
export const createSubscriptionMonths = (connection: Connection) => createSums(connection, MONTHS);

/** Sums of billing events by day (UTC). To be requested a day after the end of a day at the earliest. */
export const createSubscriptionDays = (connection: Connection) => createSums(connection, DAYS);
