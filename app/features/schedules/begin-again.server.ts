import { conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  AGAIN_MESSAGES,
  beginAgainSchema,
  canBeginAgain,
  type BeginAgainInput,
} from '#app/domain/schedules/begin-again.ts';
import { partOn } from '#app/domain/schedules/swaps.ts';
import { calendarDay, dayAfter, daysBetween } from '#app/domain/time/zoned-time.ts';
import { isFinal } from '#app/domain/vials/vial.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { createSchedule, getOwnedSchedule, type ScheduleView } from './schedules.server.ts';

/** The plan of an ended schedule, as a new one would be sent. */
async function planAgain(ctx: Ctx, id: string, input: BeginAgainInput, email?: string) {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const { startDate, firstDueAt, ...answer } = parseInput(beginAgainSchema, input);
  const stored = await getOwnedSchedule(ctx, owner.id, id);
  const now = ctx.now();
  const today = calendarDay(now, stored.timeZone);
  if (!canBeginAgain(stored, now)) throw conflict('WRONG_STATE', AGAIN_MESSAGES.running);
  const old = partOn(stored, today);
  const begin = startDate ?? firstDueAt?.slice(0, 10) ?? today;
  const length = old.endDate === null ? null : daysBetween(old.startDate, old.endDate);
  const vial = old.compoundId === null ? null : await ctx.repos.compounds.find(owner.id, old.compoundId);
  const isUsable = vial !== null && !isFinal(vial);
  const { name, doseAmount, doseUnit, frequency, times, timeZone, route, reminderLeadMinutes, notes } = old;
  const plan = {
    ...{ name, doseAmount, doseUnit, frequency, times, timeZone, route, reminderLeadMinutes, notes },
    ...{ ramp: old.ramp, course: old.course, startDate: begin },
    ...(firstDueAt !== undefined && { firstDueAt }),
    endDate: length === null ? null : dayAfter(begin, length),
    compoundId: isUsable ? vial.id : null,
    ...(old.blend && { components: old.blend.components, doseOf: old.blend.doseOf }),
    endsWithVial: isUsable && old.endsWithVial === true,
  };
  return { plan, answer };
}

/**
 * Begins a schedule that has ended, or is paused, again: a new schedule with the same plan, as long as the old one, its ramp
 * from the start. The old one keeps its doses. A vial that is used up is left out.
 * @param email the owner, when called from the terminal
 * @returns the new schedule; a second call with the same `saveKey` returns that of the first
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT while it is running, PLAN_LIMIT, CONFIRM_DOSE
 */
export async function beginAgain(
  ctx: Ctx,
  id: string,
  input: BeginAgainInput = {},
  email?: string,
): Promise<ScheduleView> {
  const { plan, answer } = await planAgain(ctx, id, input, email);
  return createSchedule(ctx, { ...plan, ...answer }, email);
}

/**
 * The plan with which {@link beginAgain} would begin. Writes nothing.
 * @throws AppError as that, but for PLAN_LIMIT and CONFIRM_DOSE
 */
export async function planToBeginAgain(ctx: Ctx, id: string, input: BeginAgainInput = {}, email?: string) {
  return (await planAgain(ctx, id, input, email)).plan;
}
