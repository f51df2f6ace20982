import { Schema, trusted, type Connection } from 'mongoose';
import type { Component } from '#app/domain/calculator/calculation.ts';
import type { OrderDocument } from '#app/domain/vendors/document-schema.ts';
import { type OrderState, isOpen, ORDER_STATES } from '#app/domain/vendors/order-states.ts';
import {
  orderDetails,
  orderDetailsOf,
  receivedDetails,
  receivedDetailsOf,
  type OrderDetails,
  type ReceivedDetails,
} from '#app/domain/vendors/order-schema.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import { changedSince, during } from '../store/queries.server.ts';
import { modelOf, NOTES_CHANGES, textColumns } from '../store/model-of.server.ts';
import { documentList, documentSchema } from '../store/document-list.server.ts';
import { ownedRows, recordOf, type ListPart, type OwnedRecord } from '../store/owned-rows.server.ts';

/** One product of an order. */
interface OrderLineRow extends ReceivedDetails {
  name: string;
  /** Decimal text, mg. */
  mgPerVial: string;
  /** Price of one vial, as decimal text. */
  price: string;
  quantity: number;
  /** The components of a blend's vial, in mg; absent for a single peptide. */
  components?: Component[] | null;
}

/** A document of `orders`. */
interface OrderRow extends OrderDetails {
  _id: string;
  userId: string;
  supplierId: string;
  /** The supplier's name when ordered: the supplier may be deleted later. */
  supplierName: string;
  state: OrderState;
  currency: string;
  lines: OrderLineRow[];
  /** When each state was reached, in order. */
  steps: { state: OrderState; at: Date }[];
  /** Their content is in GridFS under their ids. */
  papers: OrderDocument[];
  /** False from receipt until all vials have been created. */
  vialsMade: boolean;
  createdAt: Date;
  /** When it was last changed; set by mongoose. */
  updatedAt?: Date;
}

const text = { type: String, required: true };

const componentSchema = new Schema<Component>({ name: text, amount: text }, { _id: false });

const lineSchema = new Schema<OrderLineRow>(
  {
    name: text,
    mgPerVial: text,
    price: text,
    quantity: { type: Number, required: true },
    ...textColumns(receivedDetails),
    components: { type: [componentSchema], default: undefined },
  },
  { _id: false },
);

const stepSchema = new Schema<OrderRow['steps'][number]>(
  { state: text, at: { type: Date, required: true } },
  { _id: false },
);

const orderSchema = new Schema<OrderRow>(
  {
    _id: text,
    userId: text,
    supplierId: text,
    supplierName: text,
    state: text,
    currency: text,
    lines: { type: [lineSchema], required: true },
    ...textColumns(orderDetails),
    steps: { type: [stepSchema], required: true },
    papers: { type: [documentSchema], default: [] },
    vialsMade: { type: Boolean, default: false },
    createdAt: { type: Date, required: true },
  },
  { collection: 'orders', ...NOTES_CHANGES },
);

orderSchema.index({ userId: 1, createdAt: -1, _id: -1 });
orderSchema.index({ userId: 1, supplierId: 1 });
orderSchema.index({ userId: 1, state: 1, createdAt: -1, _id: -1 });

/** The papers that belong to orders. Every call names the owner. */
export function createOrderDocumentRepository(connection: Connection) {
  const model = modelOf<OrderRow>(connection, 'Order', orderSchema);
  return documentList(model);
}

/** An order with its owner. */
export type OrderRecord = OwnedRecord<OrderRow>;

/** Details that the row or one of its lines lacks are null. */
const toOrder = (row: OrderRow): OrderRecord =>
  recordOf({
    ...row,
    ...orderDetailsOf(row),
    lines: row.lines.map((line) => ({ ...line, ...receivedDetailsOf(line) })),
  });

/** A change of an order's state. */
interface OrderStep {
  from: OrderState;
  to: OrderState;
  at: Date;
  lines?: OrderLineRow[];
}

type DraftChanges = Pick<OrderRow, 'supplierId' | 'supplierName' | 'currency' | 'lines'> & OrderDetails;

/** Which orders to read: those made in a range, changed since an instant. */
interface OrderSelection extends InstantRange {
  updatedSince?: Date | undefined;
}

const EVER: OrderSelection = { from: null, before: null };

const filterOf = ({ updatedSince, ...range }: OrderSelection) => ({
  ...during('createdAt', range),
  ...changedSince(updatedSince),
});

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Orders. Every call names the owner. */
export function createOrderRepository(connection: Connection) {
  const model = modelOf<OrderRow>(connection, 'Order', orderSchema);
  const rows = ownedRows(model, {}, toOrder);
  return {
    create: rows.insert,
    find: rows.find,

    /** Newest first, starting after `after` if given. */
    list: (userId: string, limit: number, after?: { createdAt: Date; id: string }): Promise<OrderRecord[]> =>
      rows.list(
        userId,
        {},
        {
          sort: NEWEST_FIRST,
          skip: 0,
          limit,
          after: after && [after.createdAt, after.id],
        },
      ),

    /** Orders that have not arrived yet, newest first, up to a limit. */
    listOpen: (userId: string, limit: number) => {
      const open: OrderState[] = ORDER_STATES.filter(isOpen);
      return rows.list(userId, { state: trusted({ $in: open }) } as object, {
        sort: NEWEST_FIRST,
        skip: 0,
        limit,
      });
    },

    /** Part of a selection, newest first. */
    page: (userId: string, selection: OrderSelection, page: ListPart) =>
      rows.list(userId, filterOf(selection), { sort: NEWEST_FIRST, ...page }),

    count: (userId: string, selection: OrderSelection = EVER) => rows.count(userId, filterOf(selection)),

    /** Replaces a draft's content. @returns false when it is no longer a draft or does not exist */
    async updateDraft(userId: string, id: string, changes: DraftChanges): Promise<boolean> {
      const result = await model.updateOne({ userId, _id: id, state: 'draft' }, { $set: changes });
      return result.matchedCount === 1;
    },

    /** Moves an order to its next state. @returns false when its state has changed meanwhile */
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

    /** Deletes a draft or cancelled order. @returns false when it is neither or does not exist */
    async delete(userId: string, id: string): Promise<boolean> {
      const over: OrderState[] = ['draft', 'cancelled'];
      const result = await model.deleteOne({ userId, _id: id, state: trusted({ $in: over }) });
      return result.deletedCount === 1;
    },
  };
}
