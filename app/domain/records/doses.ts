import * as z from 'zod';
import { COMPONENT_MESSAGES, componentsText, findComponent } from '#app/domain/calculator/components.ts';
import type { Component } from '#app/domain/calculator/calculation.ts';
import { blendOfDose, dosedAt, type Blend } from '#app/domain/vials/contents.ts';
import { componentsField } from '#app/domain/vials/components-field.ts';
import { withDoseOf } from './schedules.ts';
import { isDoseAmount } from '#app/domain/units/quantity.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
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

/** Doses that were taken; planned ones belong to their schedule. The plain table has the same columns without the id. */
export const DOSES: ExportableType<ExportedDose> = {
  idPrefix: ID_PREFIX,
  columns: [
    fixed('id'),
    ...DOSE_COLUMNS.map((name) => KINDS[name](name)),
    text('components'),
    text('doseOf'),
  ],
  printColumns: [
    { heading: 'Taken', source: 'takenAt', width: 16, align: 'left' },
    { heading: 'Compound', source: 'name', width: 26, align: 'left', show: withDoseOf },
    { heading: 'Dose', source: 'amount', width: 10, align: 'right' },
    { heading: 'Unit', source: 'unit', width: 6, align: 'left' },
    { heading: 'Site', source: 'site', width: 22, align: 'left', show: siteName },
    { heading: 'Notes', source: 'notes', width: 35, align: 'left' },
  ],
  cells: doseCells,
  read: readDose,
};

/** The exported part of a dose that was taken. */
export interface ExportedDose {
  id: string;
  takenAt: Date | null;
  name: string;
  /** Decimal text in `doseUnit`, as taken; null if it was taken as planned. */
  actualDose: string | null;
  doseAmount: string;
  doseUnit: string;
  site: string | null;
  notes: string | null;
  blend?: Blend | null;
  drawn?: Blend | null;
}

function doseCells(dose: ExportedDose): ExportCells {
  const blend = blendOfDose(dose);
  return [
    dose.id,
    dose.takenAt?.toISOString() ?? null,
    dose.name,
    plainText(dose.actualDose ?? dose.doseAmount),
    dose.doseUnit,
    dose.site,
    dose.notes,
    blend === null ? null : componentsText(blend.components),
    blend?.doseOf ?? null,
  ];
}

const rowSchema = z.object({
  takenAt: momentField(DOSE_MESSAGES.takenAt),
  name: z.pipe(z.optional(nameText), z.string({ error: DOSE_MESSAGES.name })),
  amount: z.pipe(z.optional(decimalText(DOSE_MESSAGES.amount)), z.string({ error: DOSE_MESSAGES.amount })),
  unit: z.enum(DOSE_UNITS, { error: DOSE_MESSAGES.unit }),
  site: z.enum(SITE_IDS, { error: DOSE_MESSAGES.site }).optional(),
  notes: z.optional(notesText),
  components: componentsField,
  doseOf: z.optional(nameText),
});

/** What a dose was drawn from; it has one component if a plan for a blend was taken from a single peptide. */
function blendFrom(
  components: readonly Component[],
  request: { name: string; doseOf?: string | undefined },
): Blend {
  return { doseOf: components[dosedAt(components, request)]?.name ?? '', components };
}

/** A time without a zone is in the owner's time zone. */
function readDose(cells: ImportCells, { now, timeZone }: ImportSetting): ReadRow {
  const parsed = rowSchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { takenAt: moment, name, amount, unit, site = null, notes = '', components, doseOf } = parsed.data;
  if (doseOf !== undefined && findComponent(components ?? [{ name }], doseOf) < 0)
    return { reason: `doseOf: ${COMPONENT_MESSAGES.doseOf}` };
  if (name === '') return { reason: `name: ${DOSE_MESSAGES.name}` };
  if (!isDoseAmount(amount, unit)) return { reason: `amount: ${DOSE_MESSAGES.amount}` };
  const takenAt = readMoment(moment, timeZone, now);
  if (takenAt === null) return { reason: `takenAt: ${DOSE_MESSAGES.takenAt}` };
  if (takenAt > now) return { reason: `takenAt: ${DOSE_MESSAGES.future}` };
  const blend = components === undefined ? null : blendFrom(components, { name, doseOf });
  const dose = {
    ...{ takenAt, name, amount: plainText(amount), unit, site, notes: notes || null },
    ...(blend !== null && { blend }),
  };
  const { id = JSON.stringify([takenAt.toISOString(), dose.name, dose.amount, unit, site]) } = cells;
  if (cells['id'] !== undefined && !isIdOf(ID_PREFIX, id))
    return { reason: 'id: This is not the id of a dose' };
  return { record: { type: 'doses', id, ...dose } };
}
