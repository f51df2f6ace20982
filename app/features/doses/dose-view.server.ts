import { drawLines, type DrawLine } from '#app/domain/doses/draw-line.ts';
import type { DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { beyondUseDay } from '#app/domain/vials/beyond-use.ts';
import { vialNameKey } from '#app/domain/vials/vial-name-key.ts';
import type { Vial } from '#app/domain/vials/vial-types.ts';
import { shownDay } from '#app/domain/time/format-day.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { previewDose } from './doses.server.ts';
import { premiumOwner } from '#app/platform/access/premium-owner.server.ts';

/** Most vials that one choice lists. */
const MAX_CHOICES = 100;

/** A vial to draw from, in words. */
export interface VialChoice {
  value: string;
  label: string;
  /** Of the compound. */
  name: string;
}

function choiceOf(vial: Vial): VialChoice {
  const last = beyondUseDay(vial);
  const until = last === null ? '' : `, until ${shownDay(last)}`;
  return { value: vial.id, name: vial.name, label: `${vial.name}, ${vial.remaining} mg left${until}` };
}

/**
 * The signed-in user's vials that a dose can be drawn from.
 * @param name only those of this name
 * @throws AppError PREMIUM_REQUIRED
 */
export async function vialChoices(ctx: Ctx, name?: string): Promise<VialChoice[]> {
  const { id } = await premiumOwner(ctx, 'dose.read');
  const vials = await ctx.repos.compounds.listActive(id);
  const named = name === undefined ? vials : vials.filter((vial) => sameName(vial.name, name));
  return named.slice(0, MAX_CHOICES).map(choiceOf);
}

const sameName = (a: string, b: string): boolean => vialNameKey(a) === vialNameKey(b);

/** Everything on the page of one dose. */
export interface DosePageView {
  dose: DoseRecord;
  line: DrawLine;
  /** What there is to say about taking it now as planned. */
  warnings: DoseWarning[];
  vials: VialChoice[];
}

/**
 * One dose of the signed-in user with what to draw for it.
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED
 */
export async function getDosePage(ctx: Ctx, id: string): Promise<DosePageView> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const { dose, warnings } = await previewDose(ctx, id);
  const vials = await ctx.repos.compounds.listActive(owner.id);
  const [line] = drawLines([dose], vials, { timeZone: owner.timeZone, now: ctx.now() });
  const own = vials.filter((vial) => vial.id === dose.compoundId || sameName(vial.name, dose.name));
  return { dose, line: line as DrawLine, warnings, vials: own.slice(0, MAX_CHOICES).map(choiceOf) };
}
