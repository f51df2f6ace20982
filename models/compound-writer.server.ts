import type { Connection } from 'mongoose';
import { isFinal } from '#app/domain/vials/vial-status.ts';
import type { VialWithLedger } from '#app/domain/vials/vial-types.ts';
import { compoundSchema, type CompoundRow, type LedgerRow } from './compound.model.server.ts';
import { toColumns, toVialWithLedger } from './compound-row.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** What became of an attempt to write a vial. */
export type Written = 'written' | 'slot-taken' | 'changed-meanwhile';

const ledgerRows = (vial: VialWithLedger): LedgerRow[] => vial.ledger.map((entry) => ({ ...entry }));

/** How the ledger changes: only by what is new in it, unless old entries were folded away. */
function ledgerUpdate(before: VialWithLedger, after: VialWithLedger): Record<string, unknown> {
  const { foldedCount, foldedMg } = after;
  if (foldedCount !== before.foldedCount)
    return { $set: { ledger: ledgerRows(after), foldedCount, foldedMg } };
  const fresh = ledgerRows(after).slice(before.ledger.length);
  return fresh.length === 0 ? {} : { $push: { ledger: { $each: fresh } } };
}

/** Writes vials. Every call names the owner; each change is one atomic update of one document. */
export function createCompoundWriter(connection: Connection) {
  const model = modelOf<CompoundRow>(connection, 'Compound', compoundSchema);
  return {
    /**
     * Writes a new vial.
     * @param slot the place it takes; null for an account without a limit
     * @returns `there` when there is one of this id, from the same press of the button
     */
    async insert(vial: VialWithLedger, slot: string | null): Promise<'written' | 'slot-taken' | 'there'> {
      const { id, userId, foldedCount, foldedMg } = vial;
      const place = slot === null || isFinal(vial) ? id : slot;
      const row = { _id: id, userId, slot: place, version: 1, ...toColumns(vial), foldedCount, foldedMg };
      try {
        await model.create({ ...row, ledger: ledgerRows(vial) });
        return 'written';
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const there = await model.exists({ userId, _id: id });
        return there === null ? 'slot-taken' : 'there';
      }
    },

    /** A vial as it is now, with what a change is checked against. */
    async read(
      userId: string,
      id: string,
    ): Promise<{ vial: VialWithLedger; version: number; slot: string } | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : { vial: toVialWithLedger(row), version: row.version, slot: row.slot };
    },

    /**
     * Writes a vial over the version it was made from. One that became final gives its place free.
     * @param slot the place it has from now on
     */
    async replace(
      before: { vial: VialWithLedger; version: number },
      after: VialWithLedger,
      slot: string,
    ): Promise<Written> {
      const { id, userId } = before.vial;
      const { $set = {}, ...ledger } = ledgerUpdate(before.vial, after) as { $set?: object };
      const place = isFinal(after) ? id : slot;
      try {
        const result = await model.updateOne(
          { userId, _id: id, version: before.version },
          { $set: { ...toColumns(after), ...$set, slot: place, version: before.version + 1 }, ...ledger },
        );
        return result.matchedCount === 1 ? 'written' : 'changed-meanwhile';
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return 'slot-taken';
      }
    },

    /** @returns whether there was one */
    async remove(userId: string, id: string): Promise<boolean> {
      return (await model.deleteOne({ userId, _id: id })).deletedCount === 1;
    },
  };
}
