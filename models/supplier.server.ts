import { Schema, type Connection } from 'mongoose';
import { modelOf } from './model-of.server.ts';
import { ownedRows, type OwnedRecord } from './owned-rows.server.ts';

/** A document of `suppliers`. */
interface SupplierRow {
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

const supplierSchema = new Schema<SupplierRow>(
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

/** A supplier with its owner. */
export type SupplierRecord = OwnedRecord<SupplierRow>;

/** Suppliers. Every call names the owner. */
export function createSupplierRepository(connection: Connection) {
  const rows = ownedRows(modelOf<SupplierRow>(connection, 'Supplier', supplierSchema));
  return {
    create: rows.insert,
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    /** The first suppliers by name. */
    list: (userId: string, limit: number) =>
      rows.list(userId, {}, { sort: { nameKey: 1, _id: 1 }, skip: 0, limit }),

    count: (userId: string) => rows.count(userId, {}),
  };
}
