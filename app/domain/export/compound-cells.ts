import { doubleText, nearestDouble } from '../decimal/index.ts';
import { beyondUseDay, remainingOf, strengthOf, type Vial } from '../inventory/index.ts';
import type { ExportCells } from './columns.ts';

/** The row of a vial. Amounts are mg, numbers the shortest decimals, days as they are stored. */
export function compoundCells(vial: Vial): ExportCells {
  const strength = strengthOf(vial);
  return [
    vial.id,
    vial.createdAt.toISOString(),
    vial.name,
    strength === null ? null : doubleText(nearestDouble(strength)),
    vial.totalAmount,
    remainingOf(vial).left,
    vial.waterMl,
    vial.displacement,
    vial.reconstitutionDate,
    vial.expirationDate,
    beyondUseDay(vial),
    vial.openedAt?.toISOString() ?? null,
    vial.status,
    vial.storageTemp,
    vial.lot,
    vial.supplierId,
    vial.cost,
    vial.currency,
    vial.notes,
  ];
}
