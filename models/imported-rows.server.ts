import { trusted, type Model, type QueryFilter } from 'mongoose';
import { insertMissing } from './duplicate-key.server.ts';
import { type OwnedRow, UNEDITED } from './owned-rows.server.ts';

/** Rows that are taken back in one step. */
const REMOVED_AT_ONCE = 500;

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
      const ids = wanted.flatMap(({ row, otherId }) => [row._id, otherId]);
      const there = await owned(userId, ids);
      const fresh = wanted.filter(({ row, otherId }) => !there.has(row._id) && !there.has(otherId));
      await insertMissing(
        model,
        fresh.map(({ row }) => row),
      );
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

    /** Takes back what an import added, but what was changed since. @returns how many stay */
    async removeImported(userId: string, importId: string): Promise<number> {
      const added = model.find(where({ userId, importId, ...unchanged }), { _id: 1 });
      let ids: string[] = [];
      const removeThese = async () => {
        const these = { _id: trusted({ $in: ids }), importId, ...unchanged };
        await model.deleteMany(where({ userId, ...these }));
        ids = [];
      };
      // Some at a time: others write in between, and memory does not grow with the import.
      for await (const row of added.lean().cursor({ batchSize: REMOVED_AT_ONCE })) {
        ids.push(String((row as unknown as OwnedRow)._id));
        if (ids.length === REMOVED_AT_ONCE) await removeThese();
      }
      if (ids.length > 0) await removeThese();
      return model.countDocuments(where({ userId, importId }));
    },
  };
}

/** Many rows at once; those that nobody edited since can be taken back. */
export function importedUnlessEdited<Row extends ImportableRow>(model: Model<Row>) {
  const rows = importedRows(model, UNEDITED);
  return {
    ...rows,
    async add(importId: string, userId: string, wanted: readonly RowToImport<Row>[]): Promise<void> {
      await rows.add(
        userId,
        wanted.map(({ row, otherId }) => ({ row: { ...row, importId }, otherId })),
      );
    },
  };
}
