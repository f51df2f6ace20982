import { Schema } from 'mongoose';
import type { OrderPaper } from '#app/domain/vendors/paper-schema.ts';
import type { OrderState } from '#app/domain/vendors/order-states.ts';

/** One product of an order; `lot` and `expirationDate` are known when the parcel has come. */
export interface OrderLineRow {
  name: string;
  /** Decimal text, mg. */
  mgPerVial: string;
  /** Decimal text, of one vial. */
  price: string;
  quantity: number;
  lot: string | null;
  /** Calendar day. */
  expirationDate: string | null;
}

/** A document of `orders`. */
export interface OrderRow {
  _id: string;
  userId: string;
  supplierId: string;
  /** As it was called when ordered: the supplier may be deleted. */
  supplierName: string;
  state: OrderState;
  currency: string;
  lines: OrderLineRow[];
  notes: string | null;
  /** When each state was reached, in their order. */
  steps: { state: OrderState; at: Date }[];
  /** Their content is in GridFS under their ids. */
  papers: OrderPaper[];
  /** False from the receipt until its vials are all there. */
  vialsMade: boolean;
  createdAt: Date;
}

const text = { type: String, required: true };

const lineSchema = new Schema<OrderLineRow>(
  {
    name: text,
    mgPerVial: text,
    price: text,
    quantity: { type: Number, required: true },
    lot: { type: String, default: null },
    expirationDate: { type: String, default: null },
  },
  { _id: false },
);

const paperSchema = new Schema<OrderPaper>(
  {
    id: text,
    fileName: text,
    contentType: text,
    bytes: { type: Number, required: true },
    addedAt: { type: Date, required: true },
  },
  { _id: false, id: false },
);

const stepSchema = new Schema<OrderRow['steps'][number]>(
  { state: text, at: { type: Date, required: true } },
  { _id: false },
);

export const orderSchema = new Schema<OrderRow>(
  {
    _id: text,
    userId: text,
    supplierId: text,
    supplierName: text,
    state: text,
    currency: text,
    lines: { type: [lineSchema], required: true },
    notes: { type: String, default: null },
    steps: { type: [stepSchema], required: true },
    papers: { type: [paperSchema], default: [] },
    vialsMade: { type: Boolean, default: false },
    createdAt: { type: Date, required: true },
  },
  { collection: 'orders' },
);

orderSchema.index({ userId: 1, createdAt: -1, _id: -1 });
orderSchema.index({ userId: 1, supplierId: 1 });
orderSchema.index({ userId: 1, state: 1, createdAt: -1, _id: -1 });
