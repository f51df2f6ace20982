import type {
  ImportedInjectionSite,
  ImportedNutrition,
  ImportedSideEffect,
} from '#app/domain/import/import-types.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idOfDay, otherId, PREFIXES, vialLinks, type ImportJob } from './import-ids.server.ts';

/** Adds days of nutrition; a day that has an entry keeps it. */
export async function addNutrition(ctx: Ctx, job: ImportJob, records: ImportedNutrition[]): Promise<void> {
  const { ownerId: userId } = job;
  const wanted = records.map(({ id: day, createdAt, entry }) => {
    const id = idOfDay(userId, day);
    return { row: { _id: id, userId, ...entry, createdAt }, otherId: id };
  });
  await ctx.repos.importedNutrition.add(job.id, userId, wanted);
}

/** Adds side effects. */
export async function addSideEffects(ctx: Ctx, job: ImportJob, records: ImportedSideEffect[]): Promise<void> {
  const { ownerId: userId } = job;
  const linked = await vialLinks(
    ctx,
    userId,
    records.map(({ effect }) => effect.compoundId),
  );
  const wanted = records.map(({ id, createdAt, effect }) => {
    const times = { createdAt, updatedAt: createdAt };
    const row = { _id: id, userId, ...effect, compoundId: linked(effect.compoundId), images: [], ...times };
    return { row, otherId: otherId(PREFIXES.sideEffects, userId, id) };
  });
  await ctx.repos.importedSideEffects.add(job.id, userId, wanted);
}

/** Adds injections at sites. */
export async function addInjectionSites(
  ctx: Ctx,
  job: ImportJob,
  records: ImportedInjectionSite[],
): Promise<void> {
  const { ownerId: userId } = job;
  const linked = await vialLinks(
    ctx,
    userId,
    records.map(({ entry }) => entry.compoundId),
  );
  const wanted = records.map(({ id, createdAt, entry }) => ({
    row: { _id: id, userId, ...entry, compoundId: linked(entry.compoundId), createdAt },
    otherId: otherId(PREFIXES.injectionSites, userId, id),
  }));
  await ctx.repos.importedInjectionSites.add(job.id, userId, wanted);
}
