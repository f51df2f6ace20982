import { Schema } from 'mongoose';
import type { ProductForm } from '#app/domain/vendors/vendor-schema.ts';

/** A document of `products`: what a supplier sells. */
export interface ProductRow {
  _id: string;
  userId: string;
  supplierId: string;
  name: string;
  /** The name as it is sorted and compared by. */
  nameKey: string;
  form: ProductForm;
  /** Decimal text, mg. */
  mgPerVial: string;
  /** Decimal text, of one vial. */
  price: string;
  currency: string;
  createdAt: Date;
  /** When the price was last set. */
  pricedAt: Date;
}

const text = { type: String, required: true };

export const productSchema = new Schema<ProductRow>(
  {
    _id: text,
    userId: text,
    supplierId: text,
    name: text,
    nameKey: text,
    form: text,
    mgPerVial: text,
    price: text,
    currency: text,
    createdAt: { type: Date, required: true },
    pricedAt: { type: Date, required: true },
  },
  { collection: 'products' },
);

productSchema.index({ userId: 1, nameKey: 1, _id: 1 });
productSchema.index({ userId: 1, supplierId: 1, nameKey: 1, _id: 1 });
