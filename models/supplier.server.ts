import type { Connection } from 'mongoose';
import { modelOf } from './model-of.server.ts';
import { ownedRows, type OwnedRecord } from './owned-rows.server.ts';
import { supplierSchema, type SupplierRow } from './supplier.model.server.ts';

/** A supplier of somebody's. */
export type SupplierRecord = OwnedRecord<SupplierRow>;

/** Suppliers. Every call names the owner. */
export function createSupplierRepository(connection: Connection) {
  const rows = ownedRows(modelOf<SupplierRow>(connection, 'Supplier', supplierSchema));
  return {
    insert: rows.insert,
    find: rows.find,
    change: rows.change,
    remove: rows.remove,

    /** The first of them by name. */
    list: (userId: string, limit: number) =>
      rows.list(userId, {}, { sort: { nameKey: 1, _id: 1 }, skip: 0, limit }),

    count: (userId: string) => rows.count(userId, {}),
  };
}
