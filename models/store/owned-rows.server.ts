import { type Model, type QueryFilter, trusted } from 'mongoose';
import { filterOf, updateOf } from './generic-rows.server.ts';
import { insertUnlessTaken, insertMissing, removeInBatches } from './writes.server.ts';
import { inBatches, readPart, STREAMING, type SortedPart } from './queries.server.ts';

/** The fields of every document that has an owner. */
interface OwnedRow {
  _id: string;
  userId: string;
  /** The import that added it. */
  importId?: string;
  /** How often its owner has changed it, in collections that take imports; absent if never. */
  edits?: number;
}

/** Fields that are not part of a record. */
type Marks = '_id' | 'userId' | 'importId' | 'edits';

/** A filter for rows that have not changed since they were added. */
const UNEDITED = { edits: null } as const;

/** Included in every change to a row that may have been imported, so that undoing the import leaves it alone. */
export const EDITED = { $inc: { edits: 1 } } as const;

/** A stored document as the rest of the program sees it: with a plain `id` and without its owner. */
export type OwnedRecord<Row extends OwnedRow> = Omit<Row, Marks> & { id: string };

/** Which part of a list to read, apart from its order. */
export type ListPart = Omit<SortedPart, 'sort' | 'hint'>;

type Fields<Row> = QueryFilter<Row>;

/** A record without `userId`: the caller knows the owner. */
export function recordOf<Row extends OwnedRow>(row: Row): OwnedRecord<Row> {
  const { _id, userId: _, importId: _import, edits: _edits, ...rest } = row;
  return { ...rest, id: _id };
}

type RecordOf<Row extends OwnedRow> = (row: Row) => OwnedRecord<Row>;

/** Reads a collection of owned documents. Every call names the owner first. */
function readerOf<Row extends OwnedRow>(model: Model<Row>, recordOf: RecordOf<Row>) {
  const within = (userId: string, filter: Fields<Row> = {} as Fields<Row>) =>
    filterOf<Row>({ ...(filter as object), userId });
  return {
    async find(userId: string, id: string): Promise<OwnedRecord<Row> | null> {
      const row = await model.findOne(within(userId, { _id: id } as Fields<Row>)).lean<Row>();
      return row === null ? null : recordOf(row);
    },

    async list(userId: string, filter: Fields<Row>, part: SortedPart) {
      return (await readPart(model, within(userId, filter), part)).map(recordOf);
    },

    async count(userId: string, filter: Fields<Row>): Promise<number> {
      return model.countDocuments(within(userId, filter));
    },

    /** All matching rows in order, in batches. */
    stream(
      userId: string,
      filter: Fields<Row>,
      sort: Record<string, 1 | -1>,
    ): AsyncIterable<OwnedRecord<Row>[]> {
      const rows = model.find(within(userId, filter)).sort(sort).lean().cursor(STREAMING);
      return inBatches<unknown, OwnedRecord<Row>>(rows, (row) => recordOf(row as Row));
    },
  };
}

/**
 * Reads and writes a collection of owned documents. Each change is one atomic update of one document.
 * @param mark included in every change: {@link EDITED} where imports add rows
 * @param toRecord fills in what rows of earlier versions lack
 */
export function ownedRows<Row extends OwnedRow>(
  model: Model<Row>,
  mark: object = {},
  toRecord: RecordOf<Row> = recordOf,
) {
  const mine = (userId: string, id: string) => filterOf<Row>({ userId, _id: id });
  return {
    ...readerOf(model, toRecord),

    /** Writes a new document. @returns false when the id exists already */
    async insert(row: Row): Promise<boolean> {
      return insertUnlessTaken(model, row);
    },

    /** Sets some fields. @returns the document afterwards; null when it does not exist */
    async change(
      userId: string,
      id: string,
      fields: Partial<Omit<Row, Marks>>,
    ): Promise<OwnedRecord<Row> | null> {
      const update = updateOf<Row>({ $set: fields, ...mark });
      const options = { returnDocument: 'after' } as const;
      const row = await model.findOneAndUpdate(mine(userId, id), update, options).lean<Row>();
      return row === null ? null : toRecord(row);
    },

    /** @returns the removed document, or null */
    async remove(userId: string, id: string): Promise<OwnedRecord<Row> | null> {
      const row = await model.findOneAndDelete(mine(userId, id)).lean<Row>();
      return row === null ? null : toRecord(row);
    },
  };
}

/** A row that an import may have added. */
type ImportableRow = OwnedRow;

/** A row to add. */
export interface RowToImport<Row> {
  row: Row;
  /** Other ids that its owner may have it under. It gets the first of them if somebody else takes its own meanwhile. */
  knownAs: readonly string[];
}

/**
 * Adds imported rows and removes them again.
 * @param unchanged a filter for rows that are unchanged since they were added
 * @param follow called with the owner of what was added or removed
 */
export function importedRows<Row extends ImportableRow>(
  model: Model<Row>,
  unchanged: object = {},
  follow: (userId: string) => Promise<void> = () => Promise.resolve(),
) {
  async function owned(userId: string, ids: readonly string[]): Promise<Set<string>> {
    const mine = filterOf<Row>({ userId, _id: trusted({ $in: [...ids] }) });
    const rows = await model.find(mine, { _id: 1 }).lean<Pick<OwnedRow, '_id'>[]>();
    return new Set(rows.map(({ _id }) => _id));
  }
  return {
    /** Which of these ids belong to the owner. */
    owned,

    /** Which of these ids somebody has, whoever that is. */
    async taken(ids: readonly string[]): Promise<Set<string>> {
      const anybodys = filterOf<Row>({ _id: trusted({ $in: [...ids] }) });
      const rows = await model.find(anybodys, { _id: 1 }).limit(ids.length).lean<Pick<OwnedRow, '_id'>[]>();
      return new Set(rows.map(({ _id }) => _id));
    },

    /** Adds rows that the owner has under none of their ids. Repeating it changes nothing. */
    async add(userId: string, newRows: readonly RowToImport<Row>[]): Promise<void> {
      const idsOf = ({ row, knownAs }: RowToImport<Row>) => [row._id, ...knownAs];
      await follow(userId);
      const there = await owned(userId, [...new Set(newRows.flatMap(idsOf))]);
      const fresh = new Map<string, RowToImport<Row>>();
      for (const newRow of newRows) {
        const { row } = newRow;
        if (!fresh.has(row._id) && !idsOf(newRow).some((id) => there.has(id))) fresh.set(row._id, newRow);
      }
      const rows = [...fresh.values()].map(({ row }) => row);
      if (await insertMissing(model, rows)) return;
      const written = await owned(userId, [...fresh.keys()]);
      const others = [...fresh.values()].flatMap(({ row, knownAs: [other] }) =>
        written.has(row._id) || other === undefined ? [] : [{ ...row, _id: other }],
      );
      await insertMissing(model, others);
    },

    async countImported(userId: string, importId: string): Promise<number> {
      return model.countDocuments(filterOf<Row>({ userId, importId }));
    },

    /** Deletes what an import added, except rows changed since. @returns how many rows stay */
    async deleteImported(userId: string, importId: string): Promise<number> {
      await removeInBatches(model, filterOf<Row>({ userId, importId, ...unchanged }));
      await follow(userId);
      return model.countDocuments(filterOf<Row>({ userId, importId }));
    },
  };
}

/** Adds many rows at once; those not edited since can be removed again. */
export function importedUnlessEdited<Row extends ImportableRow>(
  model: Model<Row>,
  follow?: (userId: string) => Promise<void>,
) {
  const rows = importedRows(model, UNEDITED, follow);
  return {
    ...rows,
    async createMissing(
      importId: string,
      userId: string,
      newRows: readonly RowToImport<Row>[],
    ): Promise<void> {
      await rows.add(
        userId,
        newRows.map(({ row, knownAs }) => ({ row: { ...row, importId }, knownAs })),
      );
    },
  };
}
