import { type Model, type QueryFilter, type UpdateQuery, trusted } from 'mongoose';
import { insertUnlessTaken, insertMissing, removeInBatches } from './writes.server.ts';
import { inBatches, STREAMING } from './queries.server.ts';

/** What every document of a collection that people own has. */
interface OwnedRow {
  _id: string;
  userId: string;
  /** The import that added it. */
  importId?: string;
  /** How often its owner changed it since, in collections that take imports; absent before the first time. */
  edits?: number;
}

/** Fields of a row that only imports use. */
type Marks = '_id' | 'userId' | 'importId' | 'edits';

/** A filter for rows that have not changed since they were added. */
const UNEDITED = { edits: null } as const;

/** Goes along with every change of a row that an import may have added, so that its undo leaves it alone. */
export const EDITED = { $inc: { edits: 1 } } as const;

/** A stored document as the rest of the program sees it: its id is a plain `id`, and whose it is goes without saying. */
export type OwnedRecord<Row extends OwnedRow> = Omit<Row, Marks> & { id: string };

/** Part of a sorted list. */
interface Slice {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
}

type Fields<Row> = QueryFilter<Row>;

/** A record without `userId`: the caller knows the owner. */
export function recordOf<Row extends OwnedRow>(row: Row): OwnedRecord<Row> {
  const { _id, userId: _, importId: _import, edits: _edits, ...rest } = row;
  return { ...rest, id: _id };
}

/** Reading of a collection that people own. Every call names the owner first. */
function readerOf<Row extends OwnedRow>(model: Model<Row>) {
  const within = (userId: string, filter: Fields<Row> = {} as Fields<Row>) =>
    ({ ...(filter as object), userId }) as QueryFilter<Row>;
  return {
    async find(userId: string, id: string): Promise<OwnedRecord<Row> | null> {
      const row = (await model.findOne(within(userId, { _id: id } as Fields<Row>)).lean()) as Row | null;
      return row === null ? null : recordOf(row);
    },

    async list(userId: string, filter: Fields<Row>, { sort, skip, limit }: Slice) {
      const query = model.find(within(userId, filter)).sort(sort).skip(skip).limit(limit);
      return ((await query.lean()) as Row[]).map(recordOf);
    },

    async count(userId: string, filter: Fields<Row>): Promise<number> {
      return model.countDocuments(within(userId, filter));
    },

    /** All rows that match in an order, a batch at a time. */
    stream(
      userId: string,
      filter: Fields<Row>,
      sort: Record<string, 1 | -1>,
    ): AsyncIterable<OwnedRecord<Row>[]> {
      const rows = model.find(within(userId, filter)).sort(sort).lean().cursor(STREAMING);
      return inBatches(rows, (row) => recordOf(row as unknown as Row));
    },
  };
}

/**
 * Reading and writing of a collection that people own: each change one atomic update of one document.
 * @param mark goes along with every change: {@link EDITED} where imports add rows
 */
export function ownedRows<Row extends OwnedRow>(model: Model<Row>, mark: object = {}) {
  const mine = (userId: string, id: string) => ({ userId, _id: id }) as unknown as QueryFilter<Row>;
  return {
    ...readerOf(model),

    /** Writes a new document. @returns false when the id is there already */
    async insert(row: Row): Promise<boolean> {
      return insertUnlessTaken(model, row);
    },

    /** Sets some fields. @returns the document afterwards; null when there is none */
    async change(
      userId: string,
      id: string,
      fields: Partial<Omit<Row, Marks>>,
    ): Promise<OwnedRecord<Row> | null> {
      const update = { $set: fields, ...mark } as unknown as UpdateQuery<Row>;
      const options = { returnDocument: 'after' } as const;
      const row = (await model
        .findOneAndUpdate(mine(userId, id), update, options)
        .lean()) as unknown as Row | null;
      return row === null ? null : recordOf(row);
    },

    /** @returns what was removed; null when there was nothing */
    async remove(userId: string, id: string): Promise<OwnedRecord<Row> | null> {
      const row = (await model.findOneAndDelete(mine(userId, id)).lean()) as unknown as Row | null;
      return row === null ? null : recordOf(row);
    },
  };
}

/** A row that an import can have added. */
type ImportableRow = OwnedRow;

/** Rows to add: `_id` is where one wants to stand, `otherId` where it goes when somebody else has that id. */
interface RowToImport<Row> {
  row: Row;
  otherId: string;
}

/** Adding and taking back rows of a collection that people own. @param unchanged a filter for rows as they were added */
export function importedRows<Row extends ImportableRow>(model: Model<Row>, unchanged: object = {}) {
  const where = (fields: object) => fields as QueryFilter<Row>;
  async function owned(userId: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await model.find(where({ userId, _id: trusted({ $in: [...ids] }) }), { _id: 1 }).lean();
    return new Set(rows.map((row) => String((row as unknown as OwnedRow)._id)));
  }
  return {
    /** Which of these ids the owner has. */
    owned,

    /** Adds what the owner does not have under either id. Doing it again does nothing. */
    async add(userId: string, wanted: readonly RowToImport<Row>[]): Promise<void> {
      const ids = [...new Set(wanted.flatMap(({ row, otherId }) => [row._id, otherId]))];
      const there = await owned(userId, ids);
      const fresh = wanted.filter(({ row, otherId }) => !there.has(row._id) && !there.has(otherId));
      const areAllNew = await insertMissing(
        model,
        fresh.map(({ row }) => row),
      );
      if (areAllNew) return;
      const written = await owned(userId, ids);
      const taken = fresh.filter(({ row }) => !written.has(row._id));
      await insertMissing(
        model,
        taken.map(({ row, otherId }) => ({ ...row, _id: otherId })),
      );
    },

    async countImported(userId: string, importId: string): Promise<number> {
      return model.countDocuments(where({ userId, importId }));
    },

    /** Deletes what an import added, except what was changed since. @returns how many rows stay */
    async deleteImported(userId: string, importId: string): Promise<number> {
      await removeInBatches(model, where({ userId, importId, ...unchanged }));
      return model.countDocuments(where({ userId, importId }));
    },
  };
}

/** Many rows at once; those that nobody edited since can be taken back. */
export function importedUnlessEdited<Row extends ImportableRow>(model: Model<Row>) {
  const rows = importedRows(model, UNEDITED);
  return {
    ...rows,
    async createMissing(
      importId: string,
      userId: string,
      wanted: readonly RowToImport<Row>[],
    ): Promise<void> {
      await rows.add(
        userId,
        wanted.map(({ row, otherId }) => ({ row: { ...row, importId }, otherId })),
      );
    },
  };
}
