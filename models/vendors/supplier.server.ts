import { Schema, type Connection } from 'mongoose';
import { changedSince } from '../store/queries.server.ts';
import { modelOf, NOTES_CHANGES, textColumns } from '../store/model-of.server.ts';
import { ownedRows, recordOf, type OwnedRecord } from '../store/owned-rows.server.ts';
import {
  supplierDetails,
  supplierDetailsOf,
  type ProductFields,
  type SupplierDetails,
} from '#app/domain/vendors/vendor-schema.ts';
import { removeInBatches } from '../store/writes.server.ts';

/** A document of `suppliers`. */
interface SupplierRow extends SupplierDetails {
  _id: string;
  userId: string;
  name: string;
  /** The name, normalised for sorting. */
  nameKey: string;
  createdAt: Date;
  /** When it was last changed; set by mongoose. */
  updatedAt?: Date;
}

const supplierSchema = new Schema<SupplierRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    ...textColumns(supplierDetails),
    rating: { type: Number, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'suppliers', ...NOTES_CHANGES },
);

supplierSchema.index({ userId: 1, nameKey: 1, _id: 1 });

/** A supplier with its owner. */
export type SupplierRecord = OwnedRecord<SupplierRow>;

/** Details that the row lacks are null. */
const toSupplier = (row: SupplierRow): SupplierRecord => recordOf({ ...row, ...supplierDetailsOf(row) });

/** Suppliers. Every call names the owner. */
export function createSupplierRepository(connection: Connection) {
  const rows = ownedRows(modelOf<SupplierRow>(connection, 'Supplier', supplierSchema), {}, toSupplier);
  return {
    create: rows.insert,
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    /** The first suppliers by name, of those changed since an instant. */
    list: (userId: string, limit: number, updatedSince?: Date) =>
      rows.list(userId, changedSince(updatedSince), { sort: { nameKey: 1, _id: 1 }, skip: 0, limit }),

    count: (userId: string) => rows.count(userId, {}),
  };
}

/** A document of `products`: what a supplier sells. */
interface ProductRow extends ProductFields {
  _id: string;
  userId: string;
  supplierId: string;
  /** The name, normalised for sorting and comparison. */
  nameKey: string;
  createdAt: Date;
  /** When the price was last set. */
  pricedAt: Date;
}

const text = { type: String, required: true };

const productSchema = new Schema<ProductRow>(
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

/** A supplier's product, with its owner. */
export type ProductRecord = OwnedRecord<ProductRow>;

/** Products. Every call names the owner. */
export function createProductRepository(connection: Connection) {
  const model = modelOf<ProductRow>(connection, 'Product', productSchema);
  const rows = ownedRows(model);
  const byName = { nameKey: 1, _id: 1 } as const;
  return {
    create: rows.insert,
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    /** The first products by name, optionally of one supplier. */
    list: (userId: string, limit: number, supplierId?: string) =>
      rows.list(userId, (supplierId === undefined ? {} : { supplierId }) as object, {
        sort: byName,
        skip: 0,
        limit,
      }),

    count: (userId: string) => rows.count(userId, {}),

    async deleteOfSupplier(userId: string, supplierId: string): Promise<void> {
      await removeInBatches(model, { userId, supplierId });
    },
  };
}
