import { supplySchema } from '#app/domain/supplies/supply-schema.ts';
import type { Supply } from '#app/domain/supplies/supply.ts';
import {
  fixed,
  NOT_AN_INSTANT,
  number,
  readIdentity,
  readInstant,
  reasonOf,
  text,
  type ExportableType,
  type ExportCells,
  type ImportCells,
  type ReadRow,
} from './record-type.ts';

/** The beginning of supply ids. */
export const SUPPLY_ID_PREFIX = 'supply';

/** Supplies with their last count, from which later doses are subtracted. */
export const SUPPLIES: ExportableType<Supply> = {
  idPrefix: SUPPLY_ID_PREFIX,
  columns: [
    fixed('id'),
    fixed('createdAt'),
    text('name'),
    fixed('kind'),
    number('count'),
    fixed('countedAt'),
    number('perInjection'),
  ],
  printColumns: [
    { heading: 'Supply', source: 'name', width: 40, align: 'left' },
    { heading: 'Kind', source: 'kind', width: 16, align: 'left' },
    { heading: 'Counted', source: 'count', width: 14, align: 'right' },
    { heading: 'On', source: 'countedAt', width: 16, align: 'left' },
    { heading: 'Per injection', source: 'perInjection', width: 14, align: 'right' },
  ],
  cells: supplyCells,
  read: readSupply,
};

function supplyCells(supply: Supply): ExportCells {
  return [
    supply.id,
    supply.createdAt.toISOString(),
    supply.name,
    supply.kind,
    String(supply.count),
    supply.countedAt.toISOString(),
    String(supply.perInjection),
  ];
}

/** A supply from a row of an export. */
function readSupply(cells: ImportCells): ReadRow {
  const identity = readIdentity(cells, SUPPLY_ID_PREFIX, 'a supply');
  if (typeof identity === 'string') return { reason: identity };
  const countedAt = readInstant(cells['countedAt']);
  if (countedAt === null) return { reason: `countedAt: ${NOT_AN_INSTANT}` };
  const parsed = supplySchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { kind, name, count, perInjection = 1 } = parsed.data;
  return {
    record: { type: 'supplies', ...identity, supply: { kind, name, count, countedAt, perInjection } },
  };
}
