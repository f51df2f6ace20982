import { doubleText } from '#app/domain/decimal/decimal-text.ts';
import { nearestDouble } from '#app/domain/decimal/to-double.ts';
import { beyondUseDay } from '#app/domain/vials/beyond-use.ts';
import { remainingOf } from '#app/domain/vials/vial-row.ts';
import { strengthOf } from '#app/domain/vials/concentration.ts';
import type { Vial } from '#app/domain/vials/vial-types.ts';
import type { ExportCells } from './export-columns.ts';

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
