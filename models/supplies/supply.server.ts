import { Schema, type Connection } from 'mongoose';
import type { Supply } from '#app/domain/supplies/supply.ts';
import { createStockCheckRepository } from '../reminders/stock-check.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import {
  EDITED,
  importedUnlessEdited,
  ownedRows,
  recordOf,
  type OwnedRecord,
} from '../store/owned-rows.server.ts';

/** A document of `supplies`: an item that injections use up. */
interface SupplyRow extends Omit<Supply, 'id'> {
  _id: string;
  userId: string;
  importId?: string;
  edits?: number;
}

const supplySchema = new Schema<SupplyRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    kind: { type: String, required: true },
    name: { type: String, required: true },
    count: { type: Number, required: true },
    countedAt: { type: Date, required: true },
    perInjection: { type: Number, required: true },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'supplies' },
);

supplySchema.index({ userId: 1, createdAt: 1, _id: 1 });

/** A supply with its owner. */
export type SupplyRecord = OwnedRecord<SupplyRow>;

const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;

const modelFor = (connection: Connection) => modelOf<SupplyRow>(connection, 'Supply', supplySchema);

/** Supplies. Every call names the owner. */
export function createSupplyRepository(connection: Connection) {
  const model = modelFor(connection);
  const rows = ownedRows(model, EDITED);
  const stockChecks = createStockCheckRepository(connection);
  return {
    find: rows.find,
    async delete(userId: string, id: string): Promise<SupplyRecord | null> {
      await stockChecks.mark(userId);
      return rows.remove(userId, id);
    },

    /** Writes a new supply. @returns false when its id exists already */
    async create(row: SupplyRow): Promise<boolean> {
      await stockChecks.mark(row.userId);
      return rows.insert(row);
    },

    /** Oldest first, up to a limit. */
    list: (userId: string, limit: number) => rows.list(userId, {}, { sort: OLDEST_FIRST, skip: 0, limit }),

    count: (userId: string) => rows.count(userId, {}),

    /** All of them, oldest first, in batches. */
    stream: (userId: string) => rows.stream(userId, {}, OLDEST_FIRST),

    /**
     * Changes a supply if it still has a given version.
     * @param received pieces that arrived, added to the count
     * @returns the supply afterwards; null when it is gone or has another version
     */
    async update(
      userId: string,
      id: string,
      version: number,
      {
        fields,
        received,
      }: { fields: Partial<Omit<Supply, 'id' | 'version' | 'createdAt'>>; received: number },
    ): Promise<SupplyRecord | null> {
      const { count, ...rest } = fields;
      const added = count === undefined ? { count: received } : {};
      const set = { ...rest, ...(count !== undefined && { count: count + received }) };
      await stockChecks.mark(userId);
      const row = await model
        .findOneAndUpdate(
          { userId, _id: id, version },
          { $set: set, $inc: { version: 1, edits: 1, ...added } },
          { returnDocument: 'after' },
        )
        .lean();
      return row === null ? null : recordOf(row);
    },
  };
}

/** Adds many supplies at once. */
export const createSupplyImport = (connection: Connection) =>
  importedUnlessEdited(modelFor(connection), createStockCheckRepository(connection).mark);
