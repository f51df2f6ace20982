import { trusted, type Connection } from 'mongoose';
import type { OrderPaper } from '#app/domain/vendors/paper-schema.ts';
import { modelOf } from './model-of.server.ts';
import { orderSchema, type OrderRow } from './order.model.server.ts';

/** The papers that belong to orders. Every call names the owner. */
export function createOrderPaperRepository(connection: Connection) {
  const model = modelOf<OrderRow>(connection, 'Order', orderSchema);
  return {
    /** @returns false when the order has as many papers as it may, or is not there */
    async add(userId: string, id: string, paper: OrderPaper, most: number): Promise<boolean> {
      const room = { [`papers.${most - 1}`]: trusted({ $exists: false }) };
      const result = await model.updateOne({ userId, _id: id, ...room }, { $push: { papers: paper } });
      return result.modifiedCount === 1;
    },

    /** @returns whether it was there */
    async remove(userId: string, id: string, paperId: string): Promise<boolean> {
      const update = { $pull: { papers: { id: paperId } } };
      const result = await model.updateOne({ userId, _id: id, 'papers.id': paperId }, update);
      return result.modifiedCount === 1;
    },
  };
}
