import { calendarDay, shownInstant } from '#app/domain/time/zoned-time.ts';
import { blendChoices, type BlendChoice } from '#app/domain/vials/contents.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { fieldError } from '#app/domain/errors.ts';
import { repos } from './repositories.server.ts';

/** An option in a form. */
interface Choice {
  value: string;
  label: string;
}

/** Vials and doses that an entry can be linked to. */
interface LinkChoices {
  /** `name` is the compound's; `blend` holds the vial if it is a blend, otherwise nothing. */
  vials: (Choice & { name: string; blend: BlendChoice[] })[];
  doses: Choice[];
}

const MAX_VIALS = 50;
const MAX_DOSES = 10;

/** Offers the current choice even if it is not among the latest. */
async function chosenDose(ctx: Ctx, ownerId: string, id: string | null | undefined) {
  return id ? repos(ctx).doses.find(ownerId, id) : null;
}

/**
 * The signed-in user's active vials and latest doses, plus the ones the entry already names.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function linkChoices(
  ctx: Ctx,
  chosen: { compoundId?: string | null; doseId?: string | null } = {},
): Promise<LinkChoices> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const [vials, doses, dose] = await Promise.all([
    linkedVials(ctx, chosen.compoundId),
    repos(ctx).takenDoses.lastTaken(user.id, MAX_DOSES),
    chosenDose(ctx, user.id, chosen.doseId),
  ]);
  const allDoses = dose && !doses.some(({ id }) => id === dose.id) ? [dose, ...doses] : doses;
  return {
    vials,
    doses: allDoses.map(({ id, name, takenAt }) => ({
      value: id,
      label: takenAt ? `${name}, ${shownInstant(takenAt, ctx.timeZone)}` : name,
    })),
  };
}

/**
 * The signed-in user's active vials, plus the one the entry already names.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function linkedVials(ctx: Ctx, chosen?: string | null): Promise<LinkChoices['vials']> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const [listed, own] = await Promise.all([
    repos(ctx).vials.list(user.id, { sort: 'name', filter: 'active', search: '', day, limit: MAX_VIALS }),
    chosen ? repos(ctx).vials.find(user.id, chosen) : null,
  ]);
  const vials = own && !listed.some(({ id }) => id === own.id) ? [own, ...listed] : listed;
  return vials.map((one) => ({
    value: one.id,
    name: one.name,
    blend: blendChoices([one]),
    label: one.lot ? `${one.name}, lot ${one.lot}` : one.name,
  }));
}

/** The vial and the dose that an entry names. */
interface TrackedLinks {
  compoundId?: string | null | undefined;
  doseId?: string | null | undefined;
}

/**
 * Makes sure that the vial and dose of an entry belong to its owner; missing and foreign ones get the same answer.
 * @returns the vial's name, when a vial is named
 * @throws AppError INVALID_INPUT at the field
 */
export async function checkLinks(
  ctx: Ctx,
  ownerId: string,
  { compoundId, doseId }: TrackedLinks,
  messages: { compoundId: string; doseId: string },
): Promise<string | null> {
  const vial = compoundId ? await repos(ctx).vials.find(ownerId, compoundId) : null;
  const dose = doseId ? await repos(ctx).doses.find(ownerId, doseId) : null;
  if (compoundId && vial === null) throw fieldError('compoundId', messages.compoundId);
  if (doseId && dose === null) throw fieldError('doseId', messages.doseId);
  return vial?.name ?? null;
}
