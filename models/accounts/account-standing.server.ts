import { Schema, trusted, type Connection } from 'mongoose';
import { changeOf, NO_FIGURES, type AccountFigures } from '#app/domain/admin/account-standing.ts';
import { createAdminFiguresRepository } from '../admin/admin-figures.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { oncePerAct } from '../store/transaction.server.ts';
import { retryOnDuplicate } from '../store/writes.server.ts';

/** A document of `account_standings`, keyed by its owner: what an account counts for in the administrators' figures. */
interface AccountStandingRow extends Partial<AccountFigures> {
  /** The account's id. */
  _id: string;
  userId: string;
  /** When the worker counts it again; null if only an act can change what it counts for. */
  checkAt: Date | null;
}

/** Absent before the account is counted for the first time. */
const figure = { type: Number } as const;

const accountStandingSchema = new Schema<AccountStandingRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    checkAt: { type: Date, default: null },
    total: figure,
    premium: figure,
    active: figure,
  },
  { collection: 'account_standings' },
);

accountStandingSchema.index({ userId: 1 });
// For the step that counts accounts.
accountStandingSchema.index({ checkAt: 1 });

/** What an account counts for as of when it was last counted. */
export interface CountedAccount {
  userId: string;
  figures: AccountFigures;
  checkAt: Date | null;
}

function toCounted({ userId, checkAt, ...row }: AccountStandingRow): CountedAccount {
  const { total = 0, premium = 0, active = 0 } = row;
  return { userId, checkAt, figures: { total, premium, active } };
}

/** What each account counts for. The administrators' figures are the sums of these, and change with them in one act. */
export function createAccountStandingRepository(connection: Connection) {
  const model = modelOf<AccountStandingRow>(connection, 'AccountStanding', accountStandingSchema);
  const totals = createAdminFiguresRepository(connection);

  return {
    /** Has the worker count an account again soon, in the act that changes what it may count for. */
    mark: (userId: string): Promise<void> =>
      oncePerAct(`account-standing ${userId}`, async () => {
        const due = { $set: { checkAt: new Date() } };
        await retryOnDuplicate(() => model.updateOne({ _id: userId, userId }, due, { upsert: true }));
      }),

    /** The accounts that are to be counted again, those that have waited longest first. */
    async listDue(now: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find({ checkAt: trusted({ $lte: now }) }, { userId: 1 })
        .sort({ checkAt: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ userId }) => userId);
    },

    /** Those of these accounts that are to be counted again. */
    async findDue(userIds: readonly string[], now: Date): Promise<CountedAccount[]> {
      const these = trusted({ $in: userIds });
      const rows = await model
        .find({ userId: these, _id: these, checkAt: trusted({ $lte: now }) })
        .limit(userIds.length)
        .lean();
      return rows.map(toCounted);
    },

    /** All that were counted with an id after the first one, up to the last one if there is one. */
    async listBetween(after: string, upTo: string | null): Promise<CountedAccount[]> {
      const range = trusted({ $gt: after, ...(upTo !== null && { $lte: upTo }) });
      return (await model.find({ userId: range }).lean()).map(toCounted);
    },

    /** Stores what accounts count for; without an account, `next` is null. To be called in the act that adds the differences. */
    async replace(changes: readonly { userId: string; next: Omit<CountedAccount, 'userId'> | null }[]) {
      if (changes.length === 0) return;
      await model.bulkWrite(
        changes.map(({ userId, next }) => {
          const filter = { _id: userId, userId };
          if (next === null) return { deleteOne: { filter } };
          return {
            updateOne: { filter, update: { $set: { checkAt: next.checkAt, ...next.figures } }, upsert: true },
          };
        }),
      );
    },

    /** Takes an account out of the figures, in the act that deletes it. */
    async leave(userId: string): Promise<void> {
      const row = await model.findOneAndDelete({ _id: userId, userId }).lean();
      if (row === null) return;
      await totals.add([{ userId, change: changeOf(toCounted(row).figures, NO_FIGURES) }]);
    },
  };
}
