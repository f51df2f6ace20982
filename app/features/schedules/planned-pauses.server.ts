import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { pauseSchema, type PauseInput } from '#app/domain/schedules/pause-schema.ts';
import { PAUSE_MESSAGES, withoutPause, withPause, type PlannedPause } from '#app/domain/schedules/pauses.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { getOwnedSchedule, reviseSchedule, scheduleView, type ScheduleView } from './schedules.server.ts';

const beginningOn = ({ pauses }: ScheduleRecord, firstDay: string): PlannedPause | null =>
  (pauses ?? []).find((pause) => pause.firstDay === firstDay) ?? null;

/**
 * Plans a pause of a schedule, or changes one: from its first day to its last, both included and in the schedule's zone, no
 * doses are due; afterwards it goes on by itself. What waits to be logged on these days is removed, what is logged stays.
 * @param beginning the first day (YYYY-MM-DD) of the pause to change; one that begins on another day is added
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT at `firstDay` or `lastDay`, CONFLICT
 */
export async function savePause(
  ctx: Ctx,
  id: string,
  input: PauseInput,
  beginning: string | null = null,
  email?: string,
): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const before = await getOwnedSchedule(ctx, owner.id, id);
  if (beginning !== null && !isCalendarDay(beginning))
    throw new AppError('NOT_FOUND', PAUSE_MESSAGES.notFound);
  const pause = parseInput(pauseSchema, input);
  const replaced = beginningOn(before, beginning ?? pause.firstDay);
  if (replaced?.firstDay === pause.firstDay && replaced.lastDay === pause.lastDay)
    return scheduleView(before, ctx.now());
  const today = calendarDay(ctx.now(), before.timeZone);
  const change = withPause(before.pauses, pause, replaced, today);
  if ('pauses' in change) return reviseSchedule(ctx, before, { pauses: change.pauses });
  const { problem, field } = change;
  throw new AppError('INVALID_INPUT', problem, { fields: { [field]: [problem] } });
}

/**
 * Ends a pause of a schedule: one that runs ends with yesterday, so that today's doses from now on are due again; one that
 * has not begun is removed.
 * @param firstDay of the pause, YYYY-MM-DD
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND when no pause begins on this day, CONFLICT when it is over
 */
export async function endPause(
  ctx: Ctx,
  id: string,
  firstDay: string,
  email?: string,
): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const before = await getOwnedSchedule(ctx, owner.id, id);
  const pause = beginningOn(before, firstDay);
  if (pause === null) throw new AppError('NOT_FOUND', PAUSE_MESSAGES.notFound);
  const pauses = withoutPause(before.pauses, pause, calendarDay(ctx.now(), before.timeZone));
  if (pauses === null) throw conflict('WRONG_STATE', PAUSE_MESSAGES.over);
  return reviseSchedule(ctx, before, { pauses });
}
