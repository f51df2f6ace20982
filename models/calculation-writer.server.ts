import { trusted, type Connection } from 'mongoose';
import type { HistoryEntry } from '#app/domain/calculator/history-schema.ts';
import { calculationSchema, KEPT, type CalculationRow } from './calculation.model.server.ts';
import { toEntry, toRow, type NewCalculation } from './calculation-row.server.ts';
import { shelfFilter, type Shelf } from './calculation-scope.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** Writes the rows of saved calculations and nothing beside them; use the book, which also counts. */
export function createCalculationWriter(connection: Connection) {
  const model = modelOf<CalculationRow>(connection, 'Calculation', calculationSchema);
  return {
    /**
     * Writes a calculation, once for each save key of the owner.
     * @returns the calculation and whether it is new
     */
    async insert(calculation: NewCalculation): Promise<{ entry: HistoryEntry; isNew: boolean }> {
      const row = toRow(calculation);
      try {
        await model.create(row);
        return { entry: toEntry(row), isNew: true };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const first = await model.findOne({ userId: row.userId, saveKey: row.saveKey }).lean();
        if (first === null) throw error;
        return { entry: toEntry(first), isNew: false };
      }
    },

    /** @returns what was removed, null when there was nothing */
    async remove(shelf: Shelf, id: string): Promise<HistoryEntry | null> {
      const row = await model.findOneAndDelete({ ...shelfFilter(shelf), _id: id }).lean();
      return row === null ? null : toEntry(row);
    },

    /** Removes what belongs to a sign-in. */
    async removeSignIn(userId: string, signInId: string): Promise<void> {
      await model.deleteMany({ userId, shelf: signInId });
    },

    /** Keeps for good what belongs to a sign-in (to any of the owner's, without one). @returns how many rows */
    async keep(userId: string, signInId?: string): Promise<number> {
      const shelf = signInId ?? trusted({ $ne: KEPT });
      const result = await model.updateMany({ userId, shelf }, { $set: { shelf: KEPT } });
      return result.modifiedCount;
    },
  };
}
