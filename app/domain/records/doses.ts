import * as z from 'zod';
import { isDoseAmount } from '#app/domain/units/quantity.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { SCHEDULE_DOSE_UNITS } from '#app/domain/schedules/schedule-rule.ts';
import { decimalText, nameText, notesText } from '#app/domain/forms/text-fields.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import { momentField } from '#app/domain/forms/fields.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import { readMoment } from '#app/domain/time/zoned-time.ts';
import { DOSE_COLUMNS } from './type-names.ts';
import {
  type ImportableType,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
  reasonOf,
} from './record-type.ts';

/** Doses that were taken, from the plain table; no export holds them. */
export const DOSES: ImportableType = {
  idPrefix: 'dose',
  columns: DOSE_COLUMNS.map((name) => ({
    name,
    kind: name === 'name' || name === 'notes' ? 'text' : 'fixed',
  })),
  read: readDose,
};

const rowSchema = z.object({
  takenAt: momentField(DOSE_MESSAGES.takenAt),
  name: z.pipe(z.optional(nameText), z.string({ error: DOSE_MESSAGES.name })),
  amount: z.pipe(z.optional(decimalText(DOSE_MESSAGES.amount)), z.string({ error: DOSE_MESSAGES.amount })),
  unit: z.enum(SCHEDULE_DOSE_UNITS, { error: DOSE_MESSAGES.unit }),
  site: z.enum(SITE_IDS, { error: DOSE_MESSAGES.site }).optional(),
  notes: z.optional(notesText),
});

/** A time without a zone is the owner's wall clock. */
function readDose(cells: ImportCells, { now, timeZone }: ImportSetting): ReadRow {
  const parsed = rowSchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { takenAt: moment, name, amount, unit, site = null, notes = '' } = parsed.data;
  if (name === '') return { reason: `name: ${DOSE_MESSAGES.name}` };
  if (!isDoseAmount(amount, unit)) return { reason: `amount: ${DOSE_MESSAGES.amount}` };
  const takenAt = readMoment(moment, timeZone, now);
  if (takenAt === null) return { reason: `takenAt: ${DOSE_MESSAGES.takenAt}` };
  if (takenAt > now) return { reason: `takenAt: ${DOSE_MESSAGES.future}` };
  const dose = { takenAt, name, amount: plainText(amount), unit, site, notes: notes || null };
  const id = JSON.stringify([takenAt.toISOString(), dose.name, dose.amount, unit, site]);
  return { record: { type: 'doses', id, ...dose } };
}
