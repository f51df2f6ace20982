import type { LotFacts } from '#app/domain/lots/lot-texts.ts';
import { lotDetails, lotDetailsOf, lotSchema } from '#app/domain/lots/lot-schema.ts';
import {
  cellsOf,
  columnsWith,
  fixed,
  number,
  orNull,
  readIdentity,
  reasonOf,
  text,
  type ExportableType,
  type ImportCells,
  type ReadRow,
} from './record-type.ts';

/** The beginning of lot ids. */
export const LOT_ID_PREFIX = 'lot';

/** The exported part of a lot, without its documents and vials. */
export type ExportedLot = LotFacts & { createdAt: Date };

const COLUMNS = columnsWith(
  [
    fixed('id'),
    fixed('createdAt'),
    text('number'),
    text('product'),
    text('supplierId'),
    text('supplierName'),
    fixed('expirationDate'),
    number('purityPercent'),
    number('netContentMg'),
    text('identityMethod'),
    text('laboratory'),
    fixed('testedOn'),
    text('reportKey'),
    text('reportUrl'),
    text('notes'),
  ],
  Object.keys(lotDetails).map(text),
);

/** Lots with the data of their certificates. */
export const LOTS: ExportableType<ExportedLot> = {
  idPrefix: LOT_ID_PREFIX,
  columns: COLUMNS,
  printColumns: [
    { heading: 'Lot', source: 'number', width: 14, align: 'left' },
    { heading: 'Compound', source: 'product', width: 18, align: 'left' },
    { heading: 'Supplier', source: 'supplierName', width: 16, align: 'left' },
    { heading: 'Expires', source: 'expirationDate', width: 11, align: 'left' },
    { heading: 'Purity, %', source: 'purityPercent', width: 9, align: 'right' },
    { heading: 'Content, mg', source: 'netContentMg', width: 10, align: 'right' },
    { heading: 'Identity by', source: 'identityMethod', width: 12, align: 'left' },
    { heading: 'Laboratory', source: 'laboratory', width: 16, align: 'left' },
  ],
  cells: (lot) => cellsOf(COLUMNS, { ...lot }),
  read: readLot,
};

const rowSchema = lotSchema.extend({ supplierName: lotSchema.shape.laboratory });

/** A lot from a row of an export. */
function readLot(cells: ImportCells): ReadRow {
  const identity = readIdentity(cells, LOT_ID_PREFIX, 'a lot');
  if (typeof identity === 'string') return { reason: identity };
  const parsed = rowSchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { number: lotNumber, product, supplierName, ...details } = parsed.data;
  return {
    record: {
      type: 'lots',
      id: identity.id,
      createdAt: identity.createdAt,
      lot: {
        number: lotNumber,
        product,
        supplierName: orNull(supplierName),
        ...lotDetailsOf(details),
      },
    },
  };
}
