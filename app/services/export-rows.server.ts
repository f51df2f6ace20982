import { calculationCells, type ExportCells } from '#app/domain/export/index.ts';
import type { ExportType } from '#app/domain/schemas/export.ts';
import type { InstantRange } from '#app/domain/time/index.ts';
import type { CalculationScope } from '#models/index.server.ts';
import type { Ctx } from './context.server.ts';

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

/** The same batches, telling after each how many rows have been read in all. */
async function* told(
  batches: AsyncIterable<ExportCells[]>,
  tell: (rows: number) => void,
): AsyncGenerator<ExportCells[]> {
  for await (const batch of batches) {
    yield batch;
    tell(batch.length);
  }
}

/**
 * The chosen sections in their order, read while they are written: memory does not grow with the rows.
 * @param onProgress is told how many rows have been written
 */
export function exportSections(
  ctx: Ctx,
  selection: ExportSelection,
  onProgress: (rows: number) => void = () => {},
): ExportSection[] {
  let rows = 0;
  const tell = (more: number) => onProgress((rows += more));
  return selection.types.map((type) => ({
    type,
    batches: type === 'calculations' ? told(calculationBatches(ctx, selection), tell) : nothing(),
  }));
}

/** How many records an export will have. */
export async function countRecords(ctx: Ctx, { types, scope, range }: ExportSelection): Promise<number> {
  if (!types.includes('calculations')) return 0;
  const everything = range.from === null && range.before === null;
  return everything
    ? ctx.repos.calculations.countAll(scope, ctx.now())
    : ctx.repos.calculations.countRange(scope, range, ctx.now());
}
