import type { Readable } from 'node:stream';
import { substanceUnitOf } from '#app/domain/calculator/calculation.ts';
import type { DoseCard } from '#app/domain/calculator/dose-card.ts';
import { partOn } from '#app/domain/schedules/plan-changes.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { stockKey } from '#app/domain/vials/contents.ts';
import { isFinal, measureOf, type Vial } from '#app/domain/vials/vial.ts';
import { dosesOfSchedule, lastDoseOf, vialCard, type CardDose } from '#app/domain/vials/vial-card.ts';
import { usualSyringe } from '#app/domain/calculator/own-syringe.ts';
import { cardFile } from '#app/features/calculator/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { findOwner, type Owner } from '#app/platform/access/owner.server.ts';
import type { DoseRecord } from '#models/index.server.ts';
import { repos } from './repositories.server.ts';
import { vialNotFound } from './vial-writes.server.ts';

/** How many pending doses are looked at for the next one from a vial. */
const LOOKED_AHEAD = 50;

/** What a dose or a schedule is drawn from. */
type Source = Pick<DoseRecord, 'name' | 'compoundId' | 'blend' | 'doseUnit'>;

const isDrawnFrom = (vial: Vial, { name, blend, compoundId, doseUnit }: Source): boolean =>
  compoundId === vial.id ||
  stockKey({ name, components: blend?.components, amountUnit: substanceUnitOf(doseUnit) }) === stockKey(vial);

/** The next planned dose from vials like this one; undefined if none is planned, or nothing is left in it. */
export async function findNextDose(ctx: Ctx, ownerId: string, vial: Vial): Promise<DoseRecord | undefined> {
  if (isFinal(vial)) return undefined;
  const doses = await repos(ctx).doses.list(ownerId, { status: 'pending', limit: LOOKED_AHEAD });
  return doses.find((dose) => isDrawnFrom(vial, dose));
}

/** The doses of the active schedules that draw from vials like this one, as they are today. */
async function plannedDoses(ctx: Ctx, owner: Owner, vial: Vial): Promise<CardDose[]> {
  const today = calendarDay(ctx.now(), owner.timeZone);
  const schedules = (await repos(ctx).schedules.listActive(owner.id)).map((one) => partOn(one, today));
  return schedules.filter((schedule) => isDrawnFrom(vial, schedule)).flatMap(dosesOfSchedule);
}

/** A vial's card and the link of its QR code. */
export interface VialCard {
  card: DoseCard;
  link: string;
}

/**
 * The dose card of a vial.
 * @param email the owner's, at the terminal
 * @throws AppError UNAUTHENTICATED, NOT_FOUND, also for somebody else's vial
 */
export async function getVialCard(ctx: Ctx, id: string, email?: string): Promise<VialCard> {
  const owner = await findOwner(ctx, email);
  authorise(ctx.actor, 'vial.read', { ownerId: owner.id });
  const vial = await repos(ctx).vials.find(owner.id, id);
  if (vial === null) throw vialNotFound();
  const next = await findNextDose(ctx, owner.id, vial);
  const usual =
    next === undefined
      ? lastDoseOf(vial, measureOf(vial) === 'IU' ? 'IU' : owner.doseUnit)
      : { amount: next.doseAmount, unit: next.doseUnit, doseOf: next.blend?.doseOf };
  const planned = await plannedDoses(ctx, owner, vial);
  return {
    card: vialCard(vial, { planned, usual }, usualSyringe(owner)),
    link: new URL(`/dashboard/vials/${vial.id}`, ctx.appUrl).href,
  };
}

/** The same as a PDF file. @throws AppError RATE_LIMITED, and what {@link getVialCard} throws */
export async function getVialCardFile(ctx: Ctx, id: string, email?: string): Promise<Readable> {
  const { card, link } = await getVialCard(ctx, id, email);
  return cardFile(ctx, card, link);
}
