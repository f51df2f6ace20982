import { trusted, type Connection } from 'mongoose';
import { isOpen, ORDER_STATES, type OrderState } from '#app/domain/vendors/order-states.ts';
import { modelOf } from './model-of.server.ts';
import { orderSchema, type OrderLineRow, type OrderRow } from './order.model.server.ts';
import { ownedRows, type OwnedRecord } from './owned-rows.server.ts';

/** An order of somebody's. */
export type OrderRecord = OwnedRecord<OrderRow>;

/** What may change with a step. */
export interface OrderStep {
  from: OrderState;
  to: OrderState;
  at: Date;
  lines?: OrderLineRow[];
}

export type DraftChanges = Pick<OrderRow, 'supplierId' | 'supplierName' | 'currency' | 'lines' | 'notes'>;

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Orders. Every call names the owner. */
export function createOrderRepository(connection: Connection) {
  const model = modelOf<OrderRow>(connection, 'Order', orderSchema);
  const rows = ownedRows(model);
  return {
    insert: rows.insert,
    find: rows.find,

    /** The newest first, those after `after` when given. */
    list(userId: string, limit: number, after?: { createdAt: Date; id: string }): Promise<OrderRecord[]> {
      const beyond = after && {
        $or: [
          { createdAt: trusted({ $lt: after.createdAt }) },
          { createdAt: after.createdAt, _id: trusted({ $lt: after.id }) },
        ],
      };
      return rows.list(userId, { ...beyond } as object, { sort: NEWEST_FIRST, skip: 0, limit });
    },

    /** Orders that have not come yet, the newest first, at most so many. */
    listOpen: (userId: string, limit: number) => {
      const open: OrderState[] = ORDER_STATES.filter(isOpen);
      return rows.list(userId, { state: trusted({ $in: open }) } as object, {
        sort: NEWEST_FIRST,
        skip: 0,
        limit,
      });
    },

    page: (userId: string, skip: number, limit: number) =>
      rows.list(userId, {}, { sort: NEWEST_FIRST, skip, limit }),

    count: (userId: string) => rows.count(userId, {}),

    /** Replaces a draft's content. @returns false when it is no draft any more, or not there */
    async updateDraft(userId: string, id: string, changes: DraftChanges): Promise<boolean> {
      const result = await model.updateOne({ userId, _id: id, state: 'draft' }, { $set: changes });
      return result.matchedCount === 1;
    },

    /** One step, if the order still is where it was. @returns whether it was */
    async step(userId: string, id: string, { from, to, at, lines }: OrderStep): Promise<boolean> {
      const result = await model.updateOne(
        { userId, _id: id, state: from },
        { $set: { state: to, ...(lines ? { lines } : {}) }, $push: { steps: { state: to, at } } },
      );
      return result.modifiedCount === 1;
    },

    async setVialsMade(userId: string, id: string): Promise<void> {
      await model.updateOne({ userId, _id: id }, { $set: { vialsMade: true } });
    },

    /** @returns false when it is not a draft or cancelled, or not there */
    async remove(userId: string, id: string): Promise<boolean> {
      const over: OrderState[] = ['draft', 'cancelled'];
      const result = await model.deleteOne({ userId, _id: id, state: trusted({ $in: over }) });
      return result.deletedCount === 1;
    },
  };
}
