import { Schema, trusted, type Connection } from 'mongoose';
import { lotDetails, lotDetailsOf, type LotDetails } from '#app/domain/lots/lot-schema.ts';
import type { OrderDocument } from '#app/domain/vendors/document-schema.ts';
import { removeInBatches } from '../store/writes.server.ts';
import { type VialRow, vialSchema } from '../vials/vial.server.ts';
import { createStockCheckRepository } from '../reminders/stock-check.server.ts';
import { modelOf, textColumns } from '../store/model-of.server.ts';
import {
  EDITED,
  importedUnlessEdited,
  ownedRows,
  recordOf,
  type ListPart,
  type OwnedRecord,
} from '../store/owned-rows.server.ts';
import { documentList, documentSchema } from '../store/document-list.server.ts';
import { differentTexts } from '../store/queries.server.ts';

/** A document of `lots`: one production batch, with its laboratory results. */
export interface LotRow extends LotDetails {
  _id: string;
  userId: string;
  /** As printed on the vials. */
  number: string;
  /** Number and product, normalised for comparison. */
  numberKey: string;
  product: string;
  productKey: string;
  /** The supplier's name when the lot was entered: the supplier may be deleted later. */
  supplierName: string | null;
  /** `supplierId`, or '' without one, because unique fields cannot be null. */
  supplierKey: string;
  /** The order it came with. */
  orderId: string | null;
  papers: OrderDocument[];
  /** Vials of this lot that were deleted after doses had been drawn from them. */
  formerVials: string[];
  createdAt: Date;
  importId?: string;
  edits?: number;
}

const text = { type: String, required: true };
const optionalText = { type: String, default: null };

export const lotSchema = new Schema<LotRow>(
  {
    _id: text,
    userId: text,
    number: text,
    numberKey: text,
    product: text,
    productKey: text,
    ...textColumns(lotDetails),
    supplierName: optionalText,
    supplierKey: { type: String, default: '' },
    orderId: optionalText,
    papers: { type: [documentSchema], default: [] },
    formerVials: { type: [String], default: [] },
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'lots' },
);

lotSchema.index({ userId: 1, numberKey: 1, productKey: 1, supplierKey: 1 }, { unique: true });
lotSchema.index({ userId: 1, createdAt: -1, _id: -1 });

/** A lot with its owner. */
export type LotRecord = OwnedRecord<LotRow>;

/** Details that the row lacks are null. */
const toLot = (row: LotRow): LotRecord => recordOf({ ...row, ...lotDetailsOf(row) });

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Lots. Every call names the owner. */
export function createLotRepository(connection: Connection) {
  const model = modelOf<LotRow>(connection, 'Lot', lotSchema);
  const rows = ownedRows(model, EDITED, toLot);
  const stockChecks = createStockCheckRepository(connection);
  return {
    find: rows.find,
    delete: rows.remove,

    /** Writes a new lot. @returns false when its id, or its number, product and supplier, exist already */
    create: rows.insert,

    page: (userId: string, page: ListPart) => rows.list(userId, {}, { sort: NEWEST_FIRST, ...page }),

    /** Newest first, starting after `after` if given. */
    list: (userId: string, limit: number, after?: { createdAt: Date; id: string }): Promise<LotRecord[]> =>
      rows.list(
        userId,
        {},
        {
          sort: NEWEST_FIRST,
          skip: 0,
          limit,
          after: after && [after.createdAt, after.id],
        },
      ),

    count: (userId: string) => rows.count(userId, {}),

    /** All of them, oldest first, a batch at a time. */
    stream: (userId: string) => rows.stream(userId, {}, { createdAt: 1, _id: 1 }),

    /** Lots with a number, optionally of one product. */
    async findByNumber(userId: string, numberKey: string, productKey?: string): Promise<LotRecord[]> {
      const filter = { userId, numberKey, ...(productKey !== undefined && { productKey }) };
      return (await model.find(filter).sort({ productKey: 1, supplierKey: 1 }).lean()).map(toLot);
    },

    /** Lots by id; those of other owners are left out. */
    async listById(userId: string, ids: readonly string[]): Promise<LotRecord[]> {
      return (await model.find({ userId, _id: trusted({ $in: [...ids] }) }).lean()).map(toLot);
    },

    /**
     * Sets some fields.
     * @returns the lot afterwards; `taken` when another lot has this number, product and supplier; null when it does not exist
     */
    async update(
      userId: string,
      id: string,
      fields: Partial<Omit<LotRow, '_id' | 'userId'>>,
    ): Promise<LotRecord | null> {
      await stockChecks.mark(userId);
      return rows.change(userId, id, fields);
    },

    /** Records a vial of the lot that is about to be deleted. */
    async addFormerVial(userId: string, id: string, vialId: string): Promise<void> {
      await model.updateOne({ userId, _id: id }, { $addToSet: { formerVials: vialId }, ...EDITED });
    },
  };
}

/** The papers that belong to lots. Every call names the owner. */
export function createLotDocumentRepository(connection: Connection) {
  return documentList(modelOf<LotRow>(connection, 'Lot', lotSchema), EDITED);
}

/** Adds many lots at once. */
export function createLotImport(connection: Connection) {
  const model = modelOf<LotRow>(connection, 'Lot', lotSchema);
  const vials = modelOf<VialRow>(connection, 'Vial', vialSchema);
  return {
    ...importedUnlessEdited(model, createStockCheckRepository(connection).mark),

    /** Deletes what an import added, except lots that were changed since or still have vials. @returns how many rows stay */
    async deleteImported(userId: string, importId: string): Promise<number> {
      const untouched = { userId, importId, edits: null };
      const ids = (await model.find(untouched, { _id: 1 }).lean()).map(({ _id }) => _id);
      const staying = [{ importId: trusted({ $ne: importId }) }, { version: trusted({ $ne: 1 }) }];
      const carried = await differentTexts(vials, 'lotId', { userId, lotId: { $in: ids }, $or: staying });
      const empty = ids.filter((id) => !carried.includes(id));
      await removeInBatches(model, { ...untouched, _id: trusted({ $in: empty }) } as object);
      return model.countDocuments({ userId, importId });
    },
  };
}
