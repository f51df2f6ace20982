import * as z from 'zod';
import { isDoseAmount } from '#app/domain/units/quantity.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { SCHEDULE_DOSE_UNITS } from '#app/domain/schedules/schedule-rule.ts';
import { decimalText, nameText, notesText } from '#app/domain/forms/text-fields.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import { momentField } from '#app/domain/forms/fields.ts';
import { SITE_IDS, siteName } from '#app/domain/tracking/sites.ts';
import { readMoment } from '#app/domain/time/zoned-time.ts';
import { DOSE_COLUMNS } from './type-names.ts';
import {
  fixed,
  isIdOf,
  number,
  text,
  type ExportableType,
  type ExportCells,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
  reasonOf,
} from './record-type.ts';

const ID_PREFIX = 'dose';

const KINDS: Readonly<Record<(typeof DOSE_COLUMNS)[number], typeof text>> = {
  takenAt: fixed,
  name: text,
  amount: number,
  unit: fixed,
  site: fixed,
  notes: text,
};

/** Doses that were taken: what was planned stays with its schedule. The plain table has the same columns but the id. */
export const DOSES: ExportableType<ExportedDose> = {
  idPrefix: ID_PREFIX,
  columns: [fixed('id'), ...DOSE_COLUMNS.map((name) => KINDS[name](name))],
  printColumns: [
    { heading: 'Taken', source: 'takenAt', width: 16, align: 'left' },
    { heading: 'Compound', source: 'name', width: 26, align: 'left' },
    { heading: 'Dose', source: 'amount', width: 10, align: 'right' },
    { heading: 'Unit', source: 'unit', width: 6, align: 'left' },
    { heading: 'Site', source: 'site', width: 22, align: 'left', show: siteName },
    { heading: 'Notes', source: 'notes', width: 35, align: 'left' },
  ],
  cells: doseCells,
  read: readDose,
};

/** A dose that was taken, as far as it is exported. */
export interface ExportedDose {
  id: string;
  takenAt: Date | null;
  name: string;
  /** Decimal text in `doseUnit`, as taken; null for what was planned. */
  actualDose: string | null;
  doseAmount: string;
  doseUnit: string;
  site: string | null;
  notes: string | null;
}

function doseCells(dose: ExportedDose): ExportCells {
  return [
    dose.id,
    dose.takenAt?.toISOString() ?? null,
    dose.name,
    plainText(dose.actualDose ?? dose.doseAmount),
    dose.doseUnit,
    dose.site,
    dose.notes,
  ];
}

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
  const { id = JSON.stringify([takenAt.toISOString(), dose.name, dose.amount, unit, site]) } = cells;
  if (cells['id'] !== undefined && !isIdOf(ID_PREFIX, id))
    return { reason: 'id: This is not the id of a dose' };
  return { record: { type: 'doses', id, ...dose } };
}
