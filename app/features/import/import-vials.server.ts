import type { ImportedVial } from '#app/domain/import/import-types.ts';
import { AppError } from '#app/domain/errors.ts';
import { isFinal } from '#app/domain/vials/vial-status.ts';
import { PLAN_LIMIT_MESSAGE } from '#app/domain/vials/plan-limit.ts';
import { FREE_VIAL_LIMIT } from '#app/domain/billing/plans.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idsOf, otherId, type ImportJob } from './import-ids.server.ts';

const noPlace = () => new AppError('PLAN_LIMIT', PLAN_LIMIT_MESSAGE);

/** Adds vials; those of a free account that are active take its free places, and all of them fit or none is kept. */
export async function addVials(ctx: Ctx, job: ImportJob, records: ImportedVial[]): Promise<void> {
  const { ownerId } = job;
  const there = await ctx.repos.importedCompounds.owned(
    ownerId,
    records.flatMap((record) => idsOf(ownerId, record)),
  );
  const fresh = records.filter((record) => !idsOf(ownerId, record).some((id) => there.has(id)));
  const taken = job.isPremium ? [] : await ctx.repos.compounds.listSlots(ownerId, FREE_VIAL_LIMIT);
  const places = Array.from({ length: FREE_VIAL_LIMIT }, (_, index) => String(index)).filter(
    (place) => !taken.includes(place),
  );
  const batch = fresh.map(({ id, vial }) => {
    const isLimited = !job.isPremium && !isFinal(vial);
    const slot = isLimited ? places.shift() : null;
    if (slot === undefined || (isLimited && taken.length >= FREE_VIAL_LIMIT)) throw noPlace();
    return { vial: { ...vial, id, userId: ownerId }, otherId: otherId('vial', ownerId, id), slot };
  });
  await ctx.repos.importedCompounds.add(job.id, batch);
  const now = await ctx.repos.importedCompounds.owned(
    ownerId,
    fresh.flatMap((record) => idsOf(ownerId, record)),
  );
  // Somebody else took the place meanwhile.
  if (now.size < fresh.length) throw noPlace();
}
