import { Schema, trusted, type Model } from 'mongoose';
import type { OrderDocument } from '#app/domain/vendors/document-schema.ts';
import { filterOf, updateOf } from './generic-rows.server.ts';

const text = { type: String, required: true };

/** A document that belongs to a row, such as a certificate. Its content is in GridFS under its id. */
export const documentSchema = new Schema<OrderDocument>(
  {
    id: text,
    fileName: text,
    contentType: text,
    bytes: { type: Number, required: true },
    addedAt: { type: Date, required: true },
  },
  { _id: false, id: false },
);

/**
 * Changes a row's `papers`. Every call names the owner.
 * @param mark included in every change, as in `ownedRows`
 */
export function documentList<Row extends { userId: string; papers: OrderDocument[] }>(
  model: Model<Row>,
  mark: object = {},
) {
  const mine = (userId: string, id: string, more: object) => filterOf<Row>({ userId, _id: id, ...more });
  return {
    /** @returns false when the row has reached its limit or does not exist */
    async add(userId: string, id: string, document: OrderDocument, most: number): Promise<boolean> {
      const room = { [`papers.${most - 1}`]: trusted({ $exists: false }) };
      const update = updateOf<Row>({ $push: { papers: document }, ...mark });
      const result = await model.updateOne(mine(userId, id, room), update);
      return result.modifiedCount === 1;
    },

    /** @returns whether it existed */
    async delete(userId: string, id: string, documentId: string): Promise<boolean> {
      const update = updateOf<Row>({ $pull: { papers: { id: documentId } }, ...mark });
      const result = await model.updateOne(mine(userId, id, { 'papers.id': documentId }), update);
      return result.modifiedCount === 1;
    },
  };
}

export type DocumentList = ReturnType<typeof documentList>;
