import { readBack, type DrawnDose, type DrawnPart } from '#app/domain/doses/read-back.ts';
import { substanceUnitOf, type SyringeChoice } from '#app/domain/calculator/calculation.ts';
import type { Amount } from '#app/domain/doses/dose-warnings.ts';
import { baseUnitText } from '#app/domain/units/quantity.ts';
import { containerOf, strengthOf } from '#app/domain/vials/contents.ts';
import { planDraws, type DrawPlan } from '#app/domain/vials/stock.ts';
import { strengthUnitOf, vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { plannedDraw } from '#app/domain/doses/draw-line.ts';
import type { DoseDraw, DoseRecord, LastTaken } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { PremiumOwner } from '#app/platform/access/owner.server.ts';
import { repos } from './repositories.server.ts';

/** Maximum number of compounds per page whose last dose is looked up; nobody takes more at once. */
const MOST_COMPOUNDS = 20;

/**
 * What changed since the last dose of each compound, as a sentence per dose to draw, by dose id. Writes nothing.
 * @param vials the owner's active ones, which the doses are drawn from
 */
export async function readBacks(
  ctx: Ctx,
  owner: PremiumOwner,
  doses: readonly DoseRecord[],
  vials: readonly Vial[],
): Promise<ReadonlyMap<string, string>> {
  const { syringe } = owner;
  const day = calendarDay(ctx.now(), owner.timeZone);
  const last = await lastDrawnOf(
    ctx,
    owner,
    doses.map(({ name }) => name),
    vials,
  );
  const texts = doses.flatMap((dose): [string, string][] => {
    const before = last.get(vialNameKey(dose.name));
    if (before === undefined) return [];
    const { doseAmount, doseUnit } = dose;
    const plan = planDraws(vials, { ...plannedDraw(dose), day, syringe });
    const sentence = readBack(drawnBy({ text: doseAmount, unit: doseUnit }, plan, vials, syringe), before);
    return sentence === null ? [] : [[dose.id, sentence]];
  });
  return new Map(texts);
}

/**
 * What changed since the last dose of the compound, for a dose without a schedule; null if nothing did.
 * @param plan the vials that it would be drawn from
 */
export async function readBackOf(
  ctx: Ctx,
  owner: PremiumOwner,
  { name, amount, plan }: { name: string; amount: Amount; plan: DrawPlan },
): Promise<string | null> {
  const ids = plan.draws.map(({ compoundId }) => compoundId);
  const vials = await repos(ctx).vials.listById(owner.id, ids);
  return readBack(
    drawnBy(amount, plan, vials, owner.syringe),
    (await lastDrawnOf(ctx, owner, [name], vials)).get(vialNameKey(name)) ?? null,
  );
}

/** A compound whose next dose is drawn differently from the last one. */
export interface ChangedDraw {
  name: string;
  sentence: string;
}

/**
 * The compounds whose next dose would be drawn differently from the last one for the same amount: for a form in which
 * compound and amount are not filled in yet.
 * @param vials the owner's active ones
 */
export async function listChangedDraws(
  ctx: Ctx,
  owner: PremiumOwner,
  vials: readonly Vial[],
): Promise<ChangedDraw[]> {
  const { syringe } = owner;
  const day = calendarDay(ctx.now(), owner.timeZone);
  const names = new Map(vials.map(({ name }) => [vialNameKey(name), name] as const));
  const last = await lastDrawnOf(ctx, owner, [...names.values()], vials);
  return [...names].flatMap(([key, name]) => {
    const before = last.get(key) ?? null;
    if (before === null) return [];
    const doseMg = baseUnitText(before.amount.text, before.amount.unit);
    const measure = substanceUnitOf(before.amount.unit);
    const plan = planDraws(vials, { name, doseMg, measure, day, syringe });
    const sentence = readBack(drawnBy(before.amount, plan, vials, syringe), before);
    return sentence === null ? [] : [{ name, sentence }];
  });
}

const drawnBy = (
  amount: Amount,
  { draws }: DrawPlan,
  vials: readonly Vial[],
  syringe: SyringeChoice,
): DrawnDose => ({
  amount,
  syringe,
  parts: draws.map((draw) => partOf(vials, draw)),
});

/** The strength is that of the component the dose is measured in. */
function partOf(vials: readonly Vial[], { compoundId: vialId, mg, component }: DoseDraw): DrawnPart {
  const vial = vials.find(({ id }) => id === vialId);
  const strength = vial === undefined ? null : strengthOf(vial, component);
  return {
    vialId,
    mg,
    strength,
    strengthUnit: strengthUnitOf(vial ?? {}),
    container: containerOf(vial ?? {}),
  };
}

/** The last dose of each compound, by its key; at most {@link MOST_COMPOUNDS} of them are looked up. */
async function lastDrawnOf(
  ctx: Ctx,
  { id }: PremiumOwner,
  names: readonly string[],
  vials: readonly Vial[],
): Promise<ReadonlyMap<string, DrawnDose | null>> {
  const keys = [...new Set(names.map(vialNameKey))].slice(0, MOST_COMPOUNDS);
  const last = await repos(ctx).doses.lastTaken(id, keys, ctx.now());
  const drawn = [...last].map(
    async ([key, dose]) => [key, dose && (await drawnFrom(ctx, id, dose, vials))] as const,
  );
  return new Map(await Promise.all(drawn));
}

/** A dose that was taken, with the vials it came from as they are now. */
async function drawnFrom(
  ctx: Ctx,
  ownerId: string,
  last: LastTaken,
  vials: readonly Vial[],
): Promise<DrawnDose> {
  const { amount, unit, draws, syringe } = last;
  const ids = draws.map(({ compoundId }) => compoundId).filter((id) => !vials.some((vial) => vial.id === id));
  const used = ids.length === 0 ? [] : await repos(ctx).vials.listById(ownerId, ids);
  const known = [...vials, ...used];
  const parts = draws.map((draw) => partOf(known, draw));
  return { amount: { text: amount, unit }, parts, syringe };
}
