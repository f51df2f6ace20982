import { doseInMg, isDoseAmount } from '#app/domain/doses/dose-amount.ts';
import { doseWarnings, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { isTooSoon, usualSpacingMinutes } from '#app/domain/doses/usual-interval.ts';
import { AppError } from '#app/domain/errors.ts';
import { vialNameKey } from '#app/domain/vials/vial-name-key.ts';
import type { ScheduleDoseUnit } from '#app/domain/schedules/schedule-types.ts';
import { DOSE_MESSAGES, type TakeDoseFields } from '#app/domain/doses/dose-schema.ts';
import { readMoment } from '#app/domain/time/instant.ts';
import type { DoseChanges, DoseDraw, DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { PremiumOwner } from '#app/platform/access/premium-owner.server.ts';
import { planStockDraws } from '#app/features/vials/index.server.ts';

/** Clocks of phones and servers differ by so much. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** What a dose is taken as. */
export interface Intake {
  id: string;
  name: string;
  /** Decimal text in `doseUnit`. */
  amount: string;
  doseUnit: ScheduleDoseUnit;
  takenAt: Date;
  scheduleId: string | null;
  /** The vial that the person named, and the one that the schedule names. */
  namedVial: string | null;
  preferredVial: string | null;
}

/** From which vials it comes, and what there is to say about it. */
export interface IntakePlan {
  draws: DoseDraw[];
  warnings: DoseWarning[];
}

const invalidField = (field: string, message: string) =>
  new AppError('INVALID_INPUT', message, { fields: { [field]: [message] } });

const futureMessage = (timeZone: string) =>
  `${DOSE_MESSAGES.future}. Your time zone is ${timeZone}; it is set in your profile.`;

function readTakenAt(ctx: Ctx, owner: PremiumOwner, text: string | undefined): Date {
  const now = ctx.now();
  if (text === undefined) return now;
  const at = readMoment(text, owner.timeZone, now);
  if (at === null) throw invalidField('takenAt', DOSE_MESSAGES.takenAt);
  if (at.getTime() > now.getTime() + CLOCK_SKEW_MS) throw invalidField('takenAt', futureMessage(owner.timeZone));
  return at;
}

/**
 * Reads what a dose is taken as.
 * @throws AppError INVALID_INPUT for an amount out of bounds and for a time that is none, or lies in the future
 */
export function readIntake(ctx: Ctx, owner: PremiumOwner, dose: DoseRecord, fields: TakeDoseFields): Intake {
  const amount = fields.actualDose ?? dose.doseAmount;
  if (!isDoseAmount(amount, dose.doseUnit)) throw invalidField('actualDose', DOSE_MESSAGES.amount);
  return {
    id: dose.id,
    name: dose.name,
    amount,
    doseUnit: dose.doseUnit,
    takenAt: readTakenAt(ctx, owner, fields.takenAt),
    scheduleId: dose.scheduleId,
    namedVial: fields.compoundId ?? null,
    preferredVial: dose.compoundId,
  };
}

/** The usual spacing of the schedule that a dose belongs to; without one that of the plans of its name. */
async function usualSpacingOf(ctx: Ctx, ownerId: string, intake: Intake): Promise<number | null> {
  const { scheduleId, name } = intake;
  if (scheduleId !== null) {
    const schedule = await ctx.repos.schedules.findOne(ownerId, scheduleId);
    return schedule === null ? null : usualSpacingMinutes(schedule);
  }
  const schedules = await ctx.repos.schedules.listActive(ownerId);
  const spacings = schedules
    .filter((schedule) => vialNameKey(schedule.name) === vialNameKey(name))
    .map(usualSpacingMinutes)
    .filter((minutes) => minutes !== null);
  return spacings.length === 0 ? null : Math.min(...spacings);
}

async function comesTooSoon(ctx: Ctx, ownerId: string, intake: Intake): Promise<boolean> {
  const { id, name, takenAt } = intake;
  const [spacing, { before, after }] = await Promise.all([
    usualSpacingOf(ctx, ownerId, intake),
    ctx.repos.doses.neighbours(ownerId, vialNameKey(name), takenAt, id),
  ]);
  return isTooSoon(takenAt, [before, after], spacing);
}

/**
 * Plans how a dose is drawn, and finds what its owner should look at first. Writes nothing.
 * @throws AppError NOT_FOUND when the vial that was named is not the owner's, INVALID_INPUT when it is used up
 */
export async function planIntake(ctx: Ctx, ownerId: string, intake: Intake): Promise<IntakePlan> {
  const { name, amount, doseUnit, namedVial, preferredVial } = intake;
  const request = {
    name,
    doseMg: doseInMg(amount, doseUnit),
    compoundId: namedVial,
    preferredCompoundId: preferredVial,
  };
  const [plan, tooSoon] = await Promise.all([
    planStockDraws(ctx, ownerId, request),
    comesTooSoon(ctx, ownerId, intake),
  ]);
  return {
    draws: plan.draws.map(({ compoundId, mg }) => ({ compoundId, mg })),
    warnings: doseWarnings(tooSoon, plan.warnings),
  };
}

/** What is written when a dose is taken. */
export function takenChanges(
  dose: DoseRecord,
  intake: Intake,
  draws: DoseDraw[],
  fields: Pick<TakeDoseFields, 'site' | 'notes'>,
): DoseChanges {
  return {
    status: 'taken',
    takenAt: intake.takenAt,
    actualDose: intake.amount,
    notes: fields.notes || null,
    site: fields.site ?? null,
    draws,
    round: dose.round + 1,
    nameKey: vialNameKey(dose.name),
    remindAt: null,
    remindClaimedUntil: null,
  };
}
