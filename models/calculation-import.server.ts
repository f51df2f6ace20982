import type { Connection } from 'mongoose';
import { calculationSchema, type CalculationRow } from './calculation.model.server.ts';
import { createCalculationCounters } from './calculation-counter.repository.server.ts';
import { toRow, type NewCalculation } from './calculation-row.server.ts';
import { importedRows } from './imported-rows.server.ts';
import { modelOf } from './model-of.server.ts';

/** Many calculations at once. The totals are counted anew by the next reader, also when this is cut off. */
export function createCalculationImport(connection: Connection) {
  const model = modelOf<CalculationRow>(connection, 'Calculation', calculationSchema);
  const counters = createCalculationCounters(connection);
  const rows = importedRows(model);
  return {
    owned: rows.owned,
    countImported: rows.countImported,

    async add(
      importId: string,
      batch: readonly { calculation: NewCalculation; otherId: string }[],
      now: Date,
    ): Promise<void> {
      const [first] = batch;
      if (first === undefined) return;
      const { userId, signInId } = first.calculation;
      const write = await counters.begin({ userId, signInId }, importId, now);
      const wanted = batch.map(({ calculation, otherId }) => ({
        row: { ...toRow(calculation), importId },
        otherId,
      }));
      await rows.add(userId, wanted);
      await counters.markStale({ userId, signInId });
      await counters.finish(write, {});
    },

    async removeImported(userId: string, importId: string): Promise<number> {
      const shelves = [null, ...(await counters.listSignIns(userId))];
      for (const signInId of shelves) await counters.markStale({ userId, signInId });
      const kept = await rows.removeImported(userId, importId);
      for (const signInId of shelves) await counters.markStale({ userId, signInId });
      return kept;
    },
  };
}
