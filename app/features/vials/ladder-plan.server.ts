import type { LadderInput } from '#app/domain/calculator/ladder.ts';
import { rampOfDoses, UNEVEN_DOSES, type LadderPlanForm } from '#app/domain/schedules/ladder-plan.ts';
import { AppError } from '#app/domain/errors.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { createSchedule } from '#app/features/schedules/index.server.ts';
import { addVial } from './vials.server.ts';

/** The doses of a titration and the water for them. */
export interface WateredLadder extends LadderInput {
  /** ml, decimal text. */
  readonly waterVolume: string;
}

interface MadePlan {
  readonly vialId: string;
  /** Null if only the vial was added. */
  readonly scheduleId: string | null;
}

/**
 * Makes a ladder the plan: adds its vial, reconstituted today, and a schedule that goes through its doses, in one act. A second
 * call with the same `saveKey` returns the first one's plan.
 * @throws AppError INVALID_INPUT, PLAN_LIMIT, PREMIUM_REQUIRED for the schedule; CONFIRM_DOSE for unusual amounts, unless
 *   `confirmedAmount` names them
 */
export async function makeLadderPlan(
  ctx: Ctx,
  ladder: WateredLadder,
  form: LadderPlanForm,
): Promise<MadePlan> {
  authoriseUser(ctx.actor, 'vial.change');
  const { name, saveKey } = form;
  const facts = {
    name,
    totalAmount: ladder.peptideAmount,
    ...(ladder.amountUnit === 'IU' && { amountUnit: ladder.amountUnit }),
    waterMl: ladder.waterVolume,
    reconstitutionDate: calendarDay(ctx.now(), ctx.timeZone),
  };
  return ctx.transaction(async () => {
    const vial = await addVial(ctx, facts, { idempotencyKey: saveKey });
    if (form.intent === 'vial') return { vialId: vial.id, scheduleId: null };
    const { id } = await createSchedule(ctx, {
      ...dosesOf(ladder, form.everyWeeks),
      name,
      compoundId: vial.id,
      doseUnit: ladder.desiredDoseUnit,
      frequency: form.rhythm === 'daily' ? { kind: 'daily' } : { kind: 'interval', every: 7 },
      times: [form.time],
      startDate: form.startDate,
      saveKey,
      confirmedAmount: form.confirmedAmount,
    });
    return { vialId: vial.id, scheduleId: id };
  });
}

/** The dose and ramp of the schedule. @throws AppError INVALID_INPUT for doses that no schedule goes through */
export function dosesOf({ doses }: WateredLadder, everyWeeks: number) {
  const found = rampOfDoses(doses, everyWeeks);
  if (found === null) throw new AppError('INVALID_INPUT', UNEVEN_DOSES);
  return found;
}
