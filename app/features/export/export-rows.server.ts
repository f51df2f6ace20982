import { CALCULATIONS } from '#app/domain/records/calculations.ts';
import { DOSES } from '#app/domain/records/doses.ts';
import { LOTS } from '#app/domain/records/lots.ts';
import { SUPPLIES } from '#app/domain/records/supplies.ts';
import { VIALS } from '#app/domain/records/vials.ts';
import { INJECTION_SITES } from '#app/domain/records/injection-sites.ts';
import { MEASUREMENTS } from '#app/domain/records/measurements.ts';
import { NUTRITION } from '#app/domain/records/nutrition.ts';
import { SIDE_EFFECTS } from '#app/domain/records/side-effects.ts';
import { SCHEDULES } from '#app/domain/records/schedules.ts';
import type { ExportCells } from '#app/domain/records/record-type.ts';
import type { ExportType } from '#app/domain/records/type-names.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import type { CalculationScope } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { nextTurn } from '#app/platform/heavy-work.server.ts';
import { repos } from './repositories.server.ts';

/** The records that an export contains, once it is permitted. */
export interface ExportSelection {
  scope: CalculationScope;
  types: readonly ExportType[];
  range: InstantRange;
  /** The same as calendar days YYYY-MM-DD, both included; null leaves that side open. */
  days: { first: string | null; last: string | null };
}

/** Rows of one type, a batch at a time, in the order of their time. */
export interface ExportSection {
  type: ExportType;
  batches: AsyncIterable<ExportCells[]>;
}

/** Where the rows of a type come from, and how many there are. */
interface Source {
  batches(ctx: Ctx, selection: ExportSelection): AsyncIterable<ExportCells[]>;
  count(ctx: Ctx, selection: ExportSelection): Promise<number>;
}

async function* mapped<T>(
  batches: AsyncIterable<readonly T[]>,
  cells: (row: T) => ExportCells,
): AsyncGenerator<ExportCells[]> {
  for await (const batch of batches) yield batch.map(cells);
}

const calculations: Source = {
  batches: (ctx, { scope, range }) =>
    mapped(repos(ctx).calculations.stream(scope, range), CALCULATIONS.cells),
  count(ctx, { scope, range }) {
    const everything = range.from === null && range.before === null;
    return everything
      ? repos(ctx).calculations.countAll(scope)
      : repos(ctx).calculations.countRange(scope, range);
  },
};

/** Lots have no date either. */
const lots: Source = {
  batches: (ctx, { scope }) => mapped(repos(ctx).lots.stream(scope.userId), LOTS.cells),
  count: (ctx, { scope }) => repos(ctx).lots.count(scope.userId),
};

/** Vials have no date that a range could apply to: all of them are exported. */
const compounds: Source = {
  batches: (ctx, { scope }) => mapped(repos(ctx).compounds.stream(scope.userId), VIALS.cells),
  count: (ctx, { scope }) => repos(ctx).compounds.countAll(scope.userId),
};

/** Schedules by their first day. */
const schedules: Source = {
  batches: (ctx, { scope, days }) =>
    mapped(repos(ctx).schedules.streamStarting(scope.userId, days.first, days.last), SCHEDULES.cells),
  count: (ctx, { scope, days }) => repos(ctx).schedules.countStarting(scope.userId, days.first, days.last),
};

/** Doses that were taken, by the time they were taken. */
const doses: Source = {
  batches: (ctx, { scope, range }) =>
    mapped(repos(ctx).doses.streamTakenDuring(scope.userId, range), DOSES.cells),
  count: (ctx, { scope, range }) => repos(ctx).doses.countTakenDuring(scope.userId, range),
};

/** Days by their date. */
const nutrition: Source = {
  batches: (ctx, { scope, days }) => mapped(repos(ctx).nutrition.stream(scope.userId, days), NUTRITION.cells),
  count: (ctx, { scope, days }) => repos(ctx).nutrition.count(scope.userId, days),
};

/** Side effects by their start. */
const sideEffects: Source = {
  batches: (ctx, { scope, range }) =>
    mapped(repos(ctx).sideEffects.stream(scope.userId, range), SIDE_EFFECTS.cells),
  count: (ctx, { scope, range }) => repos(ctx).sideEffects.count(scope.userId, { range }),
};

/** Injections by their time. */
const injectionSites: Source = {
  batches: (ctx, { scope, range }) =>
    mapped(repos(ctx).injectionSites.stream(scope.userId, range), INJECTION_SITES.cells),
  count: (ctx, { scope, range }) => repos(ctx).injectionSites.count(scope.userId, range),
};

/** Measurements by their time. */
const measurements: Source = {
  batches: (ctx, { scope, range }) =>
    mapped(repos(ctx).measurements.stream(scope.userId, range), MEASUREMENTS.cells),
  count: (ctx, { scope, range }) => repos(ctx).measurements.count(scope.userId, { range }),
};

/** Supplies have no date that a range could apply to. */
const supplies: Source = {
  batches: (ctx, { scope }) => mapped(repos(ctx).supplies.stream(scope.userId), SUPPLIES.cells),
  count: (ctx, { scope }) => repos(ctx).supplies.count(scope.userId),
};

const SOURCES: Readonly<Record<ExportType, Source>> = {
  calculations,
  lots,
  compounds,
  schedules,
  doses,
  nutrition,
  sideEffects,
  injectionSites,
  measurements,
  supplies,
};

/** The same batches. After each one it reports its number of rows and lets other work run. */
async function* withProgress(
  batches: AsyncIterable<ExportCells[]>,
  tell: (rows: number) => void,
): AsyncGenerator<ExportCells[]> {
  for await (const batch of batches) {
    yield batch;
    tell(batch.length);
    await nextTurn();
  }
}

/**
 * The chosen sections in their order, read while they are written: memory does not grow with the rows.
 * @param onProgress called with the number of rows written so far
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
    batches: withProgress(SOURCES[type].batches(ctx, selection), tell),
  }));
}

/** How many records an export will have. */
export async function countRecords(ctx: Ctx, selection: ExportSelection): Promise<number> {
  const counts = selection.types.map((type) => SOURCES[type].count(ctx, selection));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
