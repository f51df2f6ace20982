import type { Connection } from 'mongoose';
import { modelOf } from './model-of.server.ts';
import { ownedRows, type OwnedRecord } from './owned-rows.server.ts';
import { productSchema, type ProductRow } from './product.model.server.ts';

/** A product of one of somebody's suppliers. */
export type ProductRecord = OwnedRecord<ProductRow>;

/** Products. Every call names the owner. */
export function createProductRepository(connection: Connection) {
  const model = modelOf<ProductRow>(connection, 'Product', productSchema);
  const rows = ownedRows(model);
  const byName = { nameKey: 1, _id: 1 } as const;
  return {
    insert: rows.insert,
    find: rows.find,
    change: rows.change,
    remove: rows.remove,

    /** The first of them by name; with `supplierId` those of one supplier. */
    list: (userId: string, limit: number, supplierId?: string) =>
      rows.list(userId, (supplierId === undefined ? {} : { supplierId }) as object, {
        sort: byName,
        skip: 0,
        limit,
      }),

    count: (userId: string) => rows.count(userId, {}),

    async removeOfSupplier(userId: string, supplierId: string): Promise<void> {
      await model.deleteMany({ userId, supplierId });
    },
  };
}
