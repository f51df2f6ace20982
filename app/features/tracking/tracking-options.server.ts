import { calendarDay } from '#app/domain/time/days.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** Something to choose in a form. */
export interface Choice {
  value: string;
  label: string;
}

/** Vials and doses that an entry can be linked to. */
export interface LinkChoices {
  vials: Choice[];
  doses: Choice[];
}

const MAX_VIALS = 50;
const MAX_DOSES = 10;

/** What was chosen before is offered again, also when it is not among the latest. */
async function chosenDose(ctx: Ctx, ownerId: string, id: string | null | undefined) {
  return id ? ctx.repos.doses.findOne(ownerId, id) : null;
}

/**
 * The signed-in user's vials in use and last doses, and those that an entry names already.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function linkChoices(
  ctx: Ctx,
  chosen: { compoundId?: string | null; doseId?: string | null } = {},
): Promise<LinkChoices> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { compounds, doseIntake } = ctx.repos;
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const [vials, vial, doses, dose] = await Promise.all([
    compounds.list(user.id, { sort: 'name', filter: 'active', search: '', day, limit: MAX_VIALS }),
    chosen.compoundId ? compounds.find(user.id, chosen.compoundId) : null,
    doseIntake.lastTaken(user.id, MAX_DOSES),
    chosenDose(ctx, user.id, chosen.doseId),
  ]);
  const allVials = vial && !vials.some(({ id }) => id === vial.id) ? [vial, ...vials] : vials;
  const allDoses = dose && !doses.some(({ id }) => id === dose.id) ? [dose, ...doses] : doses;
  return {
    vials: allVials.map(({ id, name, lot }) => ({ value: id, label: lot ? `${name}, lot ${lot}` : name })),
    doses: allDoses.map(({ id, name, takenAt }) => ({
      value: id,
      label: takenAt ? `${name}, ${shownInstant(takenAt, ctx.timeZone)}` : name,
    })),
  };
}
