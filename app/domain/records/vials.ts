import { doubleText, nearestDouble, Decimal } from '#app/domain/decimal/decimal.ts';
import { remainingOf, statusText } from '#app/domain/vials/vial-texts.ts';
import { strengthOf } from '#app/domain/vials/contents.ts';
import { type Vial, VIAL_STATUSES, type VialWithLedger, beyondUseDay } from '#app/domain/vials/vial.ts';
import * as z from 'zod';
import { componentsText, splitComponents } from '#app/domain/calculator/components.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { importedEntries, withEntries } from '#app/domain/vials/stock.ts';
import { newVial } from '#app/domain/vials/describe-vial.ts';
import { inOneMeasure, vialFields, nameProblem } from '#app/domain/vials/vial-schema.ts';
import {
  amountField,
  amountFields,
  containerFields,
  dayFields,
  MAX_VIAL_MG,
  noteFields,
  VIAL_MESSAGES,
} from '#app/domain/vials/vial-fields.ts';
import { LOT_ID_PREFIX } from './lots.ts';
import {
  cellsOf,
  columnsWith,
  fixed,
  number,
  text,
  type ExportableType,
  type ExportCells,
  type ImportCells,
  type ReadRow,
  NOT_AN_INSTANT,
  isIdOf,
  readIdentity,
  readInstant,
  reasonOf,
} from './record-type.ts';

/** "In use" for "in_use". */
function statusWords(cell: string): string {
  const status = VIAL_STATUSES.find((known) => known === cell);
  return status === undefined ? cell : statusText(status);
}

/** "BPC-157 5 mg, TB-500 5 mg" for "BPC-157:5;TB-500:5". */
const contentsWords = (cell: string, unit: string): string =>
  splitComponents(cell)
    .map(({ name, amount }) => `${name} ${figureText(amount)} ${unit}`)
    .join(', ');

/** "5000 IU" in a column that is in mg. */
const inIu = (cell: string, of: (name: string) => string): string =>
  cell !== '' && of('amountUnit') === 'IU' ? `${cell} IU` : cell;

const ID_PREFIX = 'vial';

const COLUMNS = columnsWith(
  [
    fixed('id'),
    fixed('createdAt'),
    text('name'),
    number('concentration'),
    number('totalAmount'),
    number('remainingAmount'),
    number('waterMl'),
    number('displacement'),
    fixed('reconstitutionDate'),
    fixed('expirationDate'),
    fixed('beyondUseDate'),
    fixed('openedAt'),
    fixed('status'),
    text('storageTemp'),
    text('lot'),
    text('supplierId'),
    number('cost'),
    fixed('currency'),
    text('notes'),
    fixed('lotId'),
    text('components'),
  ],
  [
    ...Object.keys(containerFields).map((name) => (name in amountFields ? number(name) : fixed(name))),
    ...Object.keys(amountFields).map(number),
    ...Object.keys(dayFields).map(fixed),
    ...Object.keys(noteFields).map(text),
  ],
);

/** Vials, which exports call compounds. */
export const VIALS: ExportableType<Vial> = {
  idPrefix: ID_PREFIX,
  columns: COLUMNS,
  printColumns: [
    {
      heading: 'Name',
      source: 'name',
      width: 20,
      align: 'left',
      show: (cell, of) =>
        of('components') === ''
          ? cell
          : `${cell} (${contentsWords(of('components'), of('amountUnit') || 'mg')})`,
    },
    { heading: 'Status', source: 'status', width: 10, align: 'left', show: statusWords },
    { heading: 'Left, mg', source: 'remainingAmount', width: 9, align: 'right', show: inIu },
    { heading: 'Total, mg', source: 'totalAmount', width: 9, align: 'right', show: inIu },
    { heading: 'mg/ml', source: 'concentration', width: 9, align: 'right', show: inIu },
    { heading: 'Reconstituted', source: 'reconstitutionDate', width: 12, align: 'left' },
    { heading: 'Last day', source: 'beyondUseDate', width: 11, align: 'left' },
    { heading: 'Lot', source: 'lot', width: 12, align: 'left' },
    { heading: 'Notes', source: 'notes', width: 23, align: 'left' },
  ],
  cells: vialCells,
  read: readVial,
};

/** The row of a vial. Amounts are in its unit, numbers the shortest decimals, days as they are stored. */
function vialCells(vial: Vial): ExportCells {
  const strength = strengthOf(vial);
  return cellsOf(
    COLUMNS,
    {
      ...vial,
      concentration: strength === null ? null : doubleText(nearestDouble(strength)),
      remainingAmount: remainingOf(vial).left,
      beyondUseDate: beyondUseDay(vial),
      components: vial.components === undefined ? null : componentsText(vial.components),
    },
    ['cost'],
  );
}

/** The fields of a vial and its state. Rules between the fields were checked when it was first saved. */
const rowSchema = z.object({
  ...vialFields.shape,
  remainingAmount: amountField(VIAL_MESSAGES.remaining, { from: 0, most: MAX_VIAL_MG }).optional(),
  lotId: z
    .string()
    .refine((id) => isIdOf(LOT_ID_PREFIX, id), { error: 'This is not the id of a lot' })
    .optional(),
  status: z.enum(VIAL_STATUSES, { error: `Status must be one of ${VIAL_STATUSES.join(', ')}` }).optional(),
});

type Made = Pick<VialWithLedger, 'id' | 'userId' | 'createdAt'>;

/** The vial as exported: first full, then a ledger entry for the amount that is gone. */
function vialOf(row: z.output<typeof rowSchema>, made: Made, openedAt: Date | null): VialWithLedger {
  const { remainingAmount, status, lotId, ...facts } = row;
  const full = newVial(facts, made);
  const gone = new Decimal(remainingAmount ?? full.totalAmount).minus(full.totalAmount).toFixed();
  const known = withEntries(full, importedEntries({ mg: gone, at: made.createdAt, openedAt }));
  const linked = lotId === undefined ? known : { ...known, lotId };
  return status === 'discarded' ? { ...linked, status } : linked;
}

/** A vial from a row of an export. The given concentration is used only if it does not follow from the water. */
function readVial(cells: ImportCells): ReadRow {
  const identity = readIdentity(cells, ID_PREFIX, 'a vial');
  if (typeof identity === 'string') return { reason: identity };
  const openedAt = readInstant(cells['openedAt']);
  if (cells['openedAt'] !== undefined && openedAt === null) return { reason: `openedAt: ${NOT_AN_INSTANT}` };
  const { concentration, ...rest } = cells;
  const follows = cells['waterMl'] !== undefined || cells['form'] === 'capsule';
  const strength = follows ? {} : { concentration };
  const parsed = inOneMeasure(rowSchema).safeParse({ ...rest, ...strength });
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { name, components, remainingAmount, status } = parsed.data;
  if (name === undefined) return { reason: `name: ${VIAL_MESSAGES.name}` };
  const problem = components === undefined ? null : nameProblem(name, components);
  if (problem !== null) return { reason: `name: ${problem}` };
  const totalAmount = components?.[0]?.amount ?? parsed.data.totalAmount;
  if (totalAmount == null) return { reason: `totalAmount: ${VIAL_MESSAGES.totalAmount}` };
  if (remainingAmount !== undefined && new Decimal(remainingAmount).gt(totalAmount))
    return { reason: `remainingAmount: ${VIAL_MESSAGES.remaining}` };
  const { id: _id, userId: _userId, ...vial } = vialOf(parsed.data, { ...identity, userId: '' }, openedAt);
  if (status !== undefined && status !== vial.status)
    return { reason: `status: From the other columns this must be ${vial.status}` };
  return { record: { type: 'compounds', id: identity.id, vial } };
}
