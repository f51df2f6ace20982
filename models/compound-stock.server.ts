import { trusted, type Connection } from 'mongoose';
import { vialNameKey } from '#app/domain/vials/vial-name-key.ts';
import type { Vial } from '#app/domain/vials/vial-types.ts';
import { compoundSchema, type CompoundRow } from './compound.model.server.ts';
import { NOT_FINAL, within, WITHOUT_LEDGER } from './compound-reader.server.ts';
import { toVial } from './compound-row.server.ts';
import { modelOf } from './model-of.server.ts';

/** Reads vials as stock: what doses can come from, and what counts for a plan's limit. Every call names the owner. */
export function createCompoundStock(connection: Connection) {
  const model = modelOf<CompoundRow>(connection, 'Compound', compoundSchema);
  const heads = (filter: Record<string, unknown>) => model.find(filter, WITHOUT_LEDGER);
  return {
    /** The places that active vials take, at most `limit` of them. */
    async listSlots(userId: string, limit: number): Promise<string[]> {
      const rows = await model
        .find({ userId, ...within(NOT_FINAL) }, { slot: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ slot }) => slot);
    },

    /** The active vials of a name, and those with one of the ids in whatever state. */
    async forDose(userId: string, name: string, ids: readonly string[]): Promise<Vial[]> {
      const named = { userId, nameKey: vialNameKey(name), ...within(NOT_FINAL) };
      const rows = await heads(named).lean();
      const missing = ids.filter((id) => !rows.some(({ _id }) => _id === id));
      if (missing.length > 0) rows.push(...(await heads({ userId, _id: trusted({ $in: missing }) }).lean()));
      return rows.map(toVial);
    },

    /** The name keys of which there ever was a vial. */
    async namesOf(userId: string): Promise<string[]> {
      return model.distinct('nameKey', { userId });
    },

    /** All vials that are not final, by name. */
    async listActive(userId: string): Promise<Vial[]> {
      const rows = await heads({ userId, ...within(NOT_FINAL) })
        .sort({ nameKey: 1, _id: 1 })
        .lean();
      return rows.map(toVial);
    },
  };
}
