import type { ImportedCalculation, ImportedRecord, ImportType } from '#app/domain/import/import-types.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { addDoses, addSchedules } from './import-doses.server.ts';
import { otherId, PREFIXES, type ImportJob } from './import-ids.server.ts';
import { addInjectionSites, addNutrition, addSideEffects } from './import-tracked.server.ts';
import { addVials } from './import-vials.server.ts';

async function addCalculations(ctx: Ctx, job: ImportJob, records: ImportedCalculation[]): Promise<void> {
  const batch = records.map(({ type: _, id, ...rest }) => ({
    calculation: { id, userId: job.ownerId, signInId: job.signInId, saveKey: id, ...rest },
    otherId: otherId(PREFIXES.calculations, job.ownerId, id),
  }));
  await ctx.repos.importedCalculations.add(job.id, batch, ctx.now());
}

type RecordOf<T extends ImportType> = Extract<ImportedRecord, { type: T }>;

const ADDERS: { [T in ImportType]: (ctx: Ctx, job: ImportJob, records: RecordOf<T>[]) => Promise<void> } = {
  calculations: addCalculations,
  compounds: addVials,
  schedules: addSchedules,
  doses: addDoses,
  nutrition: addNutrition,
  sideEffects: addSideEffects,
  injectionSites: addInjectionSites,
};

/**
 * Adds records of one type that the owner does not have yet. Doing it again does nothing.
 * @throws AppError PLAN_LIMIT
 */
export async function addRecords<T extends ImportType>(
  ctx: Ctx,
  job: ImportJob,
  type: T,
  records: readonly ImportedRecord[],
): Promise<void> {
  const own = records.filter((record): record is RecordOf<T> => record.type === type);
  if (own.length > 0) await ADDERS[type](ctx, job, own);
}

/** Where the rows of each type are. */
export function repositoriesOf({ repos }: Ctx) {
  return {
    calculations: repos.importedCalculations,
    compounds: repos.importedCompounds,
    schedules: repos.importedSchedules,
    doses: repos.importedDoses,
    nutrition: repos.importedNutrition,
    sideEffects: repos.importedSideEffects,
    injectionSites: repos.importedInjectionSites,
  };
}
