import type { Connection } from 'mongoose';
import { doseSchema, type DoseRow } from './dose.model.server.ts';
import type { DoseRecord } from './dose.server.ts';
import { importedRows } from './imported-rows.server.ts';
import { modelOf } from './model-of.server.ts';

/** Many taken doses at once. */
export function createDoseImport(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  const rows = importedRows(model, { version: 0 });
  return {
    ...rows,
    async add(importId: string, userId: string, doses: readonly DoseRecord[]): Promise<void> {
      const wanted = doses.map(({ id, ...dose }) => ({
        row: { _id: id, userId, ...dose, remindClaim: null, importId },
        otherId: id,
      }));
      await rows.add(userId, wanted);
    },
  };
}
