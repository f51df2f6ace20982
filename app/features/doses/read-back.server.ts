import { readBack, type DrawnDose } from '#app/domain/doses/read-back.ts';
import { doseInMg } from '#app/domain/units/quantity.ts';
import { strengthOf } from '#app/domain/vials/concentration.ts';
import { planDraws } from '#app/domain/vials/plan-draws.ts';
import { vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { PremiumOwner } from '#app/platform/access/owner.server.ts';

/** Compounds of one page whose last dose is looked up: nobody takes more at once. */
const MOST_COMPOUNDS = 20;

/**
 * What changed since the last dose of each compound, as a sentence for each dose that is to be drawn, by its id. Writes
 * nothing.
 * @param vials the owner's active ones, which the doses are drawn from
 */
export async function readBacks(
  ctx: Ctx,
  owner: PremiumOwner,
  doses: readonly DoseRecord[],
  vials: readonly Vial[],
): Promise<ReadonlyMap<string, string>> {
  const now = ctx.now();
  const day = calendarDay(now, owner.timeZone);
  const keys = [...new Set(doses.map(({ name }) => vialNameKey(name)))].slice(0, MOST_COMPOUNDS);
  const last = new Map(
    await Promise.all(keys.map(async (key) => [key, await lastDrawn(ctx, owner.id, key, vials)] as const)),
  );
  const said = doses.flatMap((dose): [string, string][] => {
    const before = last.get(vialNameKey(dose.name));
    if (before === undefined) return [];
    const { name, doseAmount, doseUnit, compoundId } = dose;
    const doseMg = doseInMg(doseAmount, doseUnit);
    const { draws } = planDraws(vials, { name, doseMg, preferredCompoundId: compoundId, day });
    const parts = draws.map(({ compoundId: vialId, mg }) => partOf(vials, vialId, mg));
    const sentence = readBack({ amount: { text: doseAmount, unit: doseUnit }, parts }, before);
    return sentence === null ? [] : [[dose.id, sentence]];
  });
  return new Map(said);
}

function partOf(vials: readonly Vial[], vialId: string, mg: string) {
  const vial = vials.find(({ id }) => id === vialId);
  return { vialId, mg, strength: vial === undefined ? null : strengthOf(vial) };
}

/** The last dose of a compound that was taken, with the vials it came from as they are now; null without one. */
async function lastDrawn(
  ctx: Ctx,
  ownerId: string,
  nameKey: string,
  vials: readonly Vial[],
): Promise<DrawnDose | null> {
  const last = await ctx.repos.doses.lastTaken(ownerId, nameKey, ctx.now());
  if (last === null) return null;
  const { amount, unit, draws } = last;
  const ids = draws.map(({ compoundId }) => compoundId).filter((id) => !vials.some((vial) => vial.id === id));
  const used = ids.length === 0 ? [] : await ctx.repos.compounds.listById(ownerId, ids);
  const known = [...vials, ...used];
  const parts = draws.map(({ compoundId, mg }) => partOf(known, compoundId, mg));
  return { amount: { text: amount, unit }, parts };
}
