import { Schema } from 'mongoose';

/** A document of `suppliers`. */
export interface SupplierRow {
  _id: string;
  userId: string;
  name: string;
  /** The name as it is sorted by. */
  nameKey: string;
  site: string | null;
  contact: string | null;
  /** 1 to 5. */
  rating: number | null;
  notes: string | null;
  createdAt: Date;
}

export const supplierSchema = new Schema<SupplierRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    site: { type: String, default: null },
    contact: { type: String, default: null },
    rating: { type: Number, default: null },
    notes: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'suppliers' },
);

supplierSchema.index({ userId: 1, nameKey: 1, _id: 1 });
