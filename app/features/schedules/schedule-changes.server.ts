import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { SCHEDULE_MESSAGES, scheduleSchema, toggleSchema } from '#app/domain/schedules/schedule-schema.ts';
import type { ScheduleChanges, ScheduleRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { generateDoses } from './dose-schedule-dates.server.ts';
import { requireUsableVial, toScheduleFacts, type ScheduleFacts } from './schedule-facts.server.ts';
import { getOwnedSchedule, scheduleView, type ScheduleView } from './schedule-reading.server.ts';

/**
 * Changes a schedule and has its future doses made anew. Doses that are due, taken, skipped or missed stay as they are.
 * @throws AppError CONFLICT when somebody else changed it since it was read
 */
export async function reviseSchedule(
  ctx: Ctx,
  before: ScheduleRecord,
  changes: ScheduleChanges,
): Promise<ScheduleView> {
  const now = ctx.now();
  const { userId, id, revision } = before;
  const revised = await ctx.repos.schedules.revise(userId, id, revision, { ...changes, updatedAt: now });
  if (revised === null) throw new AppError('CONFLICT', SCHEDULE_MESSAGES.changed);
  await generateDoses(ctx, userId, id, now);
  return scheduleView(await getOwnedSchedule(ctx, userId, id), now);
}

function sameFacts(record: ScheduleRecord, facts: ScheduleFacts): boolean {
  const names = Object.keys(facts).sort() as (keyof ScheduleFacts)[];
  const text = (of: ScheduleFacts) => JSON.stringify(names.map((name) => of[name]));
  return text(record) === text(facts);
}

/**
 * Changes what is given of a schedule, null or '' takes a value out. History is never re-timed: only doses that are due
 * from now on and still pending are made anew.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT
 */
export async function updateSchedule(
  ctx: Ctx,
  id: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const before = await getOwnedSchedule(ctx, user.id, id);
  const fields = parseInput(scheduleSchema, { ...before, ...changes });
  const facts = toScheduleFacts(fields, { timeZone: ctx.timeZone, lead: before.reminderLeadMinutes });
  if (facts.compoundId !== before.compoundId) await requireUsableVial(ctx, user.id, facts.compoundId);
  if (sameFacts(before, facts)) return scheduleView(before, ctx.now());
  return reviseSchedule(ctx, before, facts);
}

/**
 * Pauses a schedule, which takes its future pending doses away, or lets it go on, which makes them.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT
 */
export async function toggleSchedule(ctx: Ctx, id: string, input: unknown): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const { isActive } = parseInput(toggleSchema, input);
  const before = await getOwnedSchedule(ctx, user.id, id);
  if (before.isActive === isActive) return scheduleView(before, ctx.now());
  return reviseSchedule(ctx, before, { isActive });
}
