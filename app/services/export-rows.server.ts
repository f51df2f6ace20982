import { calculationCells, type ExportCells } from '#app/domain/export/index.ts';
import { type ExportType } from '#app/domain/schemas/export.ts';
import { type InstantRange } from '#app/domain/time/index.ts';
import { type CalculationScope } from '#models/index.server.ts';
import { type Ctx } from './context.server.ts';

/** Which records an export takes, after permission has been decided. */
export interface ExportSelection {
  scope: CalculationScope;
  types: readonly ExportType[];
  range: InstantRange;
}

/** Rows of one type, a batch at a time, in the order of their time. */
export interface ExportSection {
  type: ExportType;
  batches: AsyncIterable<ExportCells[]>;
}

async function* calculationBatches(
  ctx: Ctx,
  { scope, range }: ExportSelection,
): AsyncGenerator<ExportCells[]> {
  for await (const batch of ctx.repos.calculations.stream(scope, range)) yield batch.map(calculationCells);
}

/** Types of data that nothing records yet. */
async function* nothing(): AsyncGenerator<ExportCells[]> {}

/** The chosen sections in their order, read while they are written: memory does not grow with the rows. */
export function exportSections(ctx: Ctx, selection: ExportSelection): ExportSection[] {
  return selection.types.map((type) => ({
    type,
    batches: type === 'calculations' ? calculationBatches(ctx, selection) : nothing(),
  }));
}

/** How many records an export will have. */
export async function countRecords(ctx: Ctx, { types, scope, range }: ExportSelection): Promise<number> {
  if (!types.includes('calculations')) return 0;
  const everything = range.from === null && range.before === null;
  return everything
    ? ctx.repos.calculations.countAll(scope, ctx.now())
    : ctx.repos.calculations.countDuring(scope, range);
}
