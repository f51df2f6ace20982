import { previewDoses } from '#app/domain/schedules/upcoming-occurrences.ts';
import type { Occurrence, ScheduleRule } from '#app/domain/schedules/schedule-types.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { generateDoses } from './dose-schedule-dates.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { requireUsableVial, toScheduleFacts } from './schedule-facts.server.ts';
import { getOwnedSchedule, scheduleView, type ScheduleView } from './schedule-reading.server.ts';

export { getSchedule, listSchedules, listNextDoses as nextDosesOf, type ScheduleView } from './schedule-reading.server.ts';
export { toggleSchedule, updateSchedule } from './schedule-changes.server.ts';

/**
 * Makes a schedule of the signed-in user, with its doses for 35 days. A second call with the same `saveKey` gives the
 * schedule of the first.
 * @param input checked here; without a zone it is on the user's own time, without a lead on their choice of one
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function createSchedule(ctx: Ctx, input: unknown): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const { saveKey, ...fields } = parseInput(scheduleSchema, input);
  const { leadDefault } = await getNotificationChoices(ctx, user.id);
  const facts = toScheduleFacts(fields, { timeZone: ctx.timeZone, lead: leadDefault });
  await requireUsableVial(ctx, user.id, facts.compoundId);
  const now = ctx.now();
  const { schedule, isNew } = await ctx.repos.schedules.insert({
    id: idFromKey('sched', now, user.id, saveKey),
    userId: user.id,
    ...facts,
    isActive: true,
    nextDoseDate: null,
    lastDoseDate: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    madeUntil: new Date(0),
    claimedUntil: null,
    keptIn: null,
  });
  if (isNew) await generateDoses(ctx, user.id, schedule.id);
  return scheduleView(await getOwnedSchedule(ctx, user.id, schedule.id), now);
}

/** What a schedule would be like. */
export interface SchedulePreview {
  /** The first 14 from the start date on, or fewer if there are no more. */
  doses: Occurrence[];
  rule: ScheduleRule;
}

/**
 * The first doses of a schedule that is not saved, and stays so.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function previewSchedule(ctx: Ctx, input: unknown): Promise<SchedulePreview> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const rule = toScheduleFacts(parseInput(scheduleSchema, input), { timeZone: ctx.timeZone, lead: 0 });
  await requireUsableVial(ctx, user.id, rule.compoundId);
  return { doses: previewDoses(rule), rule };
}

/**
 * Removes a schedule with its pending doses. What was taken, skipped or missed stays.
 * @returns what was removed
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function deleteSchedule(ctx: Ctx, id: string): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const schedule = await getOwnedSchedule(ctx, user.id, id);
  const { doses, schedules } = ctx.repos;
  await doses.removeFuturePending(user.id, id, null);
  await schedules.remove(user.id, id);
  // Those that a worker made in between; one that ends later finds the schedule gone and takes its own away.
  await doses.removeFuturePending(user.id, id, null);
  return scheduleView(schedule, ctx.now());
}
