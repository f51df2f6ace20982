import { Schema, trusted, type Connection } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';
import { oncePerAct } from '../store/transaction.server.ts';
import { claimBatch } from '../store/work-queue.server.ts';
import { insertMissing, retryOnDuplicate } from '../store/writes.server.ts';

/** A document of `stock_checks`, keyed by its owner: when the worker next looks at what an account has in stock. */
interface StockCheckRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** While a worker has claimed it, when that claim ends. */
  checkAt: Date;
  /** The claim; absent or null without one. */
  claim?: string | null;
}

const stockCheckSchema = new Schema<StockCheckRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    checkAt: { type: Date, required: true },
    claim: String,
  },
  { collection: 'stock_checks' },
);

stockCheckSchema.index({ userId: 1 });
// For the step that reminds of stock.
stockCheckSchema.index({ checkAt: 1 });

/** When accounts' stock is checked. */
export function createStockCheckRepository(connection: Connection) {
  const model = modelOf<StockCheckRow>(connection, 'StockCheck', stockCheckSchema);

  return {
    /**
     * Has the worker check an account's stock soon, in the act that changes what the result depends on. A check that runs at
     * that moment is repeated.
     */
    mark: (userId: string): Promise<void> =>
      oncePerAct(`stock-check ${userId}`, async () => {
        const due = { $set: { checkAt: new Date() } };
        await retryOnDuplicate(() => model.updateOne({ _id: userId, userId }, due, { upsert: true }));
      }),

    /** Has the worker check these accounts, whether or not they have a row yet. */
    async markAll(userIds: readonly string[]): Promise<void> {
      const checkAt = new Date();
      const isNew = await insertMissing(
        model,
        userIds.map((userId) => ({ _id: userId, userId, checkAt })),
      );
      const these = trusted({ $in: [...userIds] });
      if (!isNew) await model.updateMany({ _id: these, userId: these }, { $set: { checkAt } });
    },

    /** Claims accounts whose stock is to be checked, until an instant. @returns their ids */
    async claim(now: Date, until: Date, claim: string, size: number): Promise<string[]> {
      const rows = await claimBatch<StockCheckRow>(model, {
        free: { checkAt: trusted({ $lte: now }) },
        sort: { checkAt: 1 },
        take: { $set: { checkAt: until, claim } },
        taken: { checkAt: until, claim },
        size,
      });
      return rows.map(({ userId }) => userId);
    },

    /** Sets when a claimed account is checked next, unless it has been marked meanwhile. */
    async finish(userId: string, claim: string, until: Date, checkAt: Date): Promise<void> {
      await model.updateOne(
        { _id: userId, userId, claim, checkAt: until },
        { $set: { checkAt, claim: null } },
      );
    },

    /** For an account that is gone. */
    async remove(userId: string): Promise<void> {
      await model.deleteOne({ _id: userId, userId });
    },

    /** How many accounts wait for a check, and since when the first one does. */
    async backlog(now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
      const due = { checkAt: trusted({ $lte: now }) };
      const waiting = await model.countDocuments(due);
      const first = await model.findOne(due, { checkAt: 1 }).sort({ checkAt: 1 }).lean();
      return { waiting, oldestAt: first?.checkAt ?? null };
    },
  };
}
