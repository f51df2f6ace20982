import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { importedEntries } from '#app/domain/vials/imported-vial.ts';
import { newVial } from '#app/domain/vials/describe-vial.ts';
import { VIAL_STATUSES, type VialWithLedger } from '#app/domain/vials/vial-types.ts';
import { withEntries } from '#app/domain/vials/ledger.ts';
import { vialSchema, type VialFacts } from '#app/domain/vials/vial-schema.ts';
import { amountField, MAX_VIAL_MG, VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { isIdOf, readInstant, reasonOf } from './row-values.ts';
import type { ImportCells, ReadRow } from './import-types.ts';

/** The fields of a vial and what had become of it; rules between the fields were its first owner's business. */
const rowSchema = z.object({
  ...vialSchema.shape,
  remainingAmount: amountField(VIAL_MESSAGES.remaining, { from: 0, most: MAX_VIAL_MG }).optional(),
  status: z.enum(VIAL_STATUSES, { error: `Status must be one of ${VIAL_STATUSES.join(', ')}` }).optional(),
});

const noInstant = (cells: ImportCells, field: string): boolean =>
  cells[field] !== undefined && readInstant(cells[field]) === null;

type Made = Pick<VialWithLedger, 'id' | 'userId' | 'createdAt'>;

/** The vial as it was exported: full as described, then what is gone from it as an entry of its ledger. */
function vialOf(row: z.output<typeof rowSchema>, made: Made, openedAt: Date | null): VialWithLedger {
  const { remainingAmount, status, ...facts } = row;
  const full = newVial(facts as VialFacts, made);
  const gone = new Decimal(remainingAmount ?? full.totalAmount).minus(full.totalAmount).toFixed();
  const known = withEntries(full, importedEntries({ mg: gone, at: made.createdAt, openedAt }));
  return status === 'discarded' ? { ...known, status } : known;
}

function problemOf(cells: ImportCells): string | null {
  if (!isIdOf('vial_', cells['id'])) return 'id: This is no id of a vial';
  if (readInstant(cells['createdAt']) === null) return 'createdAt: This is no date and time';
  return noInstant(cells, 'openedAt') ? 'openedAt: This is no date and time' : null;
}

/** A vial from a row of an export. Its strength is kept as given only when it does not follow from the water. */
export function readVial(cells: ImportCells): ReadRow {
  const problem = problemOf(cells);
  if (problem !== null) return { reason: problem };
  const { concentration, ...rest } = cells;
  const strength = cells['waterMl'] === undefined ? { concentration } : {};
  const parsed = rowSchema.safeParse({ ...rest, ...strength });
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { totalAmount, remainingAmount, status } = parsed.data;
  if (totalAmount === undefined) return { reason: `totalAmount: ${VIAL_MESSAGES.totalAmount}` };
  if (remainingAmount !== undefined && new Decimal(remainingAmount).gt(totalAmount))
    return { reason: `remainingAmount: ${VIAL_MESSAGES.remaining}` };
  const made = { id: '', userId: '', createdAt: readInstant(cells['createdAt']) ?? new Date(0) };
  const { id: _id, userId: _userId, ...vial } = vialOf(parsed.data, made, readInstant(cells['openedAt']));
  if (status !== undefined && status !== vial.status)
    return { reason: `status: The other columns say ${vial.status}` };
  return { record: { type: 'compounds', id: cells['id'] ?? '', vial } };
}
