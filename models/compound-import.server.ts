import type { Connection } from 'mongoose';
import type { VialWithLedger } from '#app/domain/vials/vial-types.ts';
import { compoundSchema, type CompoundRow } from './compound.model.server.ts';
import { toColumns } from './compound-row.server.ts';
import { importedRows } from './imported-rows.server.ts';
import { modelOf } from './model-of.server.ts';

/** Many vials at once, each taking a place of its own: the limit of a free account is kept by whoever calls. */
export function createCompoundImport(connection: Connection) {
  const model = modelOf<CompoundRow>(connection, 'Compound', compoundSchema);
  const rows = importedRows(model, { version: 1 });
  return {
    ...rows,
    async add(
      importId: string,
      batch: readonly { vial: VialWithLedger; otherId: string; slot: string | null }[],
    ): Promise<void> {
      const wanted = batch.map(({ vial, otherId, slot }) => {
        const { id, userId, foldedCount, foldedMg } = vial;
        const ledger = vial.ledger.map((entry) => ({ ...entry }));
        const head = { _id: id, userId, slot: slot ?? id, version: 1, importId };
        return { row: { ...head, ...toColumns(vial), ledger, foldedCount, foldedMg }, otherId };
      });
      const [first] = wanted;
      if (first !== undefined) await rows.add(first.row.userId, wanted);
    },
  };
}
