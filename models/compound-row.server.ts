import { Decimal } from '#app/domain/decimal/decimal.ts';
import { nearestDouble } from '#app/domain/decimal/to-double.ts';
import { ratio } from '#app/domain/decimal/ratio.ts';
import { beyondUseDay } from '#app/domain/vials/beyond-use.ts';
import { vialNameKey } from '#app/domain/vials/vial-name-key.ts';
import type { Vial, VialWithLedger } from '#app/domain/vials/vial-types.ts';
import type { VialSort } from '#app/domain/vials/vial-list-schema.ts';
import { NO_DAY, type CompoundRow } from './compound.model.server.ts';

/** A stored vial without its ledger. */
export type CompoundHead = Omit<CompoundRow, 'ledger' | 'foldedCount' | 'foldedMg'>;

/** The row as the rest of the program knows it. */
export function toVial(row: CompoundHead): Vial {
  const { _id, slot, version, nameKey, remainingMg, share, lastDay, importId, ...vial } = row;
  return { id: _id, ...vial };
}

/** The same with the ledger. */
export function toVialWithLedger(row: CompoundRow): VialWithLedger {
  const { ledger, foldedCount, foldedMg, ...head } = row;
  return { ...toVial(head), ledger, foldedCount, foldedMg };
}

/** A double of a balance, which may be below zero. */
function doubleOf(part: Decimal, whole?: Decimal): number {
  const size = nearestDouble(ratio(part.abs(), whole));
  return part.lt(0) ? -size : size;
}

/** Everything of the row but its place in the limit, its version and its ledger. */
export function toColumns(
  vial: Vial,
): Omit<CompoundHead, '_id' | 'userId' | 'slot' | 'version' | 'importId'> {
  const remaining = new Decimal(vial.remaining);
  return {
    name: vial.name,
    nameKey: vialNameKey(vial.name),
    status: vial.status,
    totalAmount: vial.totalAmount,
    remaining: vial.remaining,
    remainingMg: doubleOf(remaining),
    share: doubleOf(remaining, new Decimal(vial.totalAmount)),
    waterMl: vial.waterMl,
    concentration: vial.concentration,
    displacement: vial.displacement,
    reconstitutionDate: vial.reconstitutionDate,
    expirationDate: vial.expirationDate,
    lastDay: beyondUseDay(vial) ?? NO_DAY,
    openedAt: vial.openedAt,
    createdAt: vial.createdAt,
    storageTemp: vial.storageTemp,
    notes: vial.notes,
    lot: vial.lot,
    supplierId: vial.supplierId,
    cost: vial.cost,
    currency: vial.currency,
  };
}

/** A vial's place in a sorted list: the value sorted by, and its id. */
export type VialPosition = readonly [key: string | number | Date, id: string];

/** Where a vial stands in a sort. */
export function vialPosition(vial: Vial, sort: VialSort): VialPosition {
  const { nameKey, lastDay, remainingMg, createdAt } = toColumns(vial);
  const key = { name: nameKey, expiry: lastDay, remaining: remainingMg, added: createdAt }[sort];
  return [key, vial.id];
}
