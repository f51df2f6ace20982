import { Schema, type Connection } from 'mongoose';
import { addFigures, NO_FIGURES, type AccountFigures } from '#app/domain/admin/account-standing.ts';
import { modelOf } from '../store/model-of.server.ts';
import { retryOnDuplicate } from '../store/writes.server.ts';

const figure = { type: Number, required: true } as const;
const figures = { total: figure, premium: figure, active: figure };

/** A count of all accounts from scratch, which goes through them in the order of their ids. */
interface Recount extends AccountFigures {
  /** The id of the last account it has come to; empty at the beginning. */
  after: string;
}

/** The only document of `admin_figures`: the sums of what all accounts count for. */
interface AdminFiguresRow extends AccountFigures {
  _id: string;
  /** Incremented by every change, so that no two of them pass beside each other even if they cancel out. */
  revision: number;
  /** When the last count from scratch was complete; null before the first. */
  recountedAt: Date | null;
  /** The one under way; null without one. */
  recount: Recount | null;
}

const adminFiguresSchema = new Schema<AdminFiguresRow>(
  {
    _id: { type: String, required: true },
    ...figures,
    revision: figure,
    recountedAt: { type: Date, default: null },
    recount: { type: new Schema<Recount>({ ...figures, after: String }, { _id: false }), default: null },
  },
  { collection: 'admin_figures' },
);

/** The figures as they are stored. */
type StoredFigures = Omit<AdminFiguresRow, '_id' | 'revision'>;

const KEY = 'accounts';

/** What earlier versions stored the result of a whole count under. */
const EARLIER_KEY = 'overview';

const prefixed = (prefix: string, { total, premium, active }: AccountFigures) => ({
  [`${prefix}total`]: total,
  [`${prefix}premium`]: premium,
  [`${prefix}active`]: active,
});

/**
 * The administrators' figures of accounts, which follow each change by its difference. Only the worker writes them, always in
 * the act that stores what the accounts count for, so they are the sum of `account_standings` at any time. They have no owner.
 */
export function createAdminFiguresRepository(connection: Connection) {
  const model = modelOf<AdminFiguresRow>(connection, 'AdminFigures', adminFiguresSchema);

  return {
    /** @returns null before any account was counted */
    async find(): Promise<StoredFigures | null> {
      const row = await model.findOne({ _id: KEY }).lean();
      if (row === null) return null;
      const { _id, revision: _revision, ...stored } = row;
      return stored;
    },

    /** Adds what accounts count for now beyond what they counted for. A recount has the new value only of those it has passed. */
    async add(changes: readonly { userId: string; change: AccountFigures }[]): Promise<void> {
      if (changes.length === 0) return;
      const row = await model.findOne({ _id: KEY }, { recount: 1 }).lean();
      if (row === null) return;
      const { recount } = row;
      const sum = addFigures(changes.map(({ change }) => change));
      const passed = changes.filter(({ userId }) => recount !== null && userId <= recount.after);
      const $inc = {
        revision: 1,
        ...sum,
        ...(recount !== null && prefixed('recount.', addFigures(passed.map(({ change }) => change)))),
      };
      await model.updateOne({ _id: KEY }, { $inc });
    },

    /** Begins a count from scratch, or begins it again. */
    async beginRecount(): Promise<void> {
      const change = {
        $set: { recount: { ...NO_FIGURES, after: '' } },
        $inc: { revision: 1 },
        $setOnInsert: { ...NO_FIGURES, recountedAt: null },
      };
      await retryOnDuplicate(() => model.updateOne({ _id: KEY }, change, { upsert: true }));
    },

    /** Adds what the next accounts count for to the recount, in the act that stores it. */
    async advanceRecount(after: string, counted: AccountFigures): Promise<void> {
      const $inc = { revision: 1, ...prefixed('recount.', counted) };
      await model.updateOne({ _id: KEY }, { $set: { 'recount.after': after }, $inc });
    },

    /** Replaces the figures by those of the recount, which is over. */
    async endRecount(counted: AccountFigures, at: Date): Promise<void> {
      const $set = { ...counted, recountedAt: at, recount: null };
      await model.updateOne({ _id: KEY }, { $set, $inc: { revision: 1 } });
    },

    /** For what an earlier version has left. */
    async removeEarlier(): Promise<void> {
      await model.deleteOne({ _id: EARLIER_KEY });
    },
  };
}
