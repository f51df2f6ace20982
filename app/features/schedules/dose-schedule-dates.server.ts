import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import { DAY_MS } from '#app/domain/time/durations.ts';
import { nextOccurrence } from '#app/domain/schedules/upcoming-occurrences.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { daysAfter, DAYS_AHEAD, fillSchedule } from './dose-generation.server.ts';

/** A schedule that begins in the past gets the doses of the last day, which can still be taken; older ones are filled in. */
const LOOK_BACK_DAYS = 1;
/** How long another worker keeps off a schedule. */
const LEASE_MS = 60_000;
/** For somebody who changes a schedule again and again while its doses are made; the next look finds the rest. */
const MAX_ATTEMPTS = 5;
/** Schedules of one round of the worker; what is left comes with the next. */
const MAX_PER_ROUND = 500;

/**
 * The dates that a schedule shows: its next pending dose, and when the last one was taken. To be asked for after
 * whatever changes one of its doses.
 */
export async function refreshScheduleDates(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.findOne(ownerId, scheduleId);
  if (schedule === null) return;
  const { doses, schedules } = ctx.repos;
  const [pending] = await doses.list(ownerId, { scheduleId, status: 'pending', from: ctx.now(), limit: 1 });
  const [taken] = await doses.list(ownerId, { scheduleId, status: 'taken', latestFirst: true, limit: 1 });
  const later = schedule.isActive ? nextOccurrence(schedule, schedule.madeUntil) : null;
  const nextDoseDate = pending?.dueDate ?? later?.dueDate ?? null;
  const lastDoseDate = taken?.takenAt ?? schedule.lastDoseBefore ?? null;
  await schedules.set(ownerId, scheduleId, { nextDoseDate, lastDoseDate });
}

/** Fills, and again while the schedule is changed meanwhile. @returns the schedule as it was last seen */
async function fillUntilStable(ctx: Ctx, schedule: ScheduleRecord, from: Date): Promise<void> {
  let current = schedule;
  let begin = from;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (await fillSchedule(ctx, current, begin)) return;
    const changed = await ctx.repos.schedules.findOne(current.userId, current.id);
    if (changed === null) return ctx.repos.doses.removeFuturePending(current.userId, current.id, null);
    [current, begin] = [changed, ctx.now()];
  }
}

/**
 * Makes the doses of one schedule for 35 days from now, takes those away that it has no more, and sets its dates. For
 * the request that makes or changes it.
 * @param from doses due before it are not made; by default those of the last day are
 */
export async function generateDoses(
  ctx: Ctx,
  ownerId: string,
  scheduleId: string,
  from?: Date,
): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.findOne(ownerId, scheduleId);
  if (schedule === null) return;
  await fillUntilStable(ctx, schedule, from ?? daysAfter(ctx.now(), -LOOK_BACK_DAYS));
  await refreshScheduleDates(ctx, ownerId, scheduleId);
}

/** Where making goes on: where it ended, but no further back than what can still be taken. */
function resumeFrom(schedule: ScheduleRecord, now: Date): Date {
  const earliest = daysAfter(now, -LOOK_BACK_DAYS);
  return schedule.madeUntil > earliest ? schedule.madeUntil : earliest;
}

async function isPremium(ctx: Ctx, userId: string): Promise<boolean> {
  const user = await ctx.repos.users.findById(userId);
  return user !== null && entitlementOf(user, ctx.now()).isPremium;
}

/**
 * The worker's step: makes the doses of all schedules that run short of them. Each schedule is claimed for a minute by
 * one worker; of one that dies, another takes over. Schedules of accounts that are not premium wait for a day.
 * @returns how many schedules it saw to
 */
export async function generateAllDoses(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'schedule.make-all-doses');
  const { schedules } = ctx.repos;
  for (let count = 0; count < MAX_PER_ROUND; count += 1) {
    if (stopping?.aborted) return count;
    const now = ctx.now();
    const lease = new Date(now.getTime() + LEASE_MS);
    const schedule = await schedules.claimUnmade(daysAfter(now, DAYS_AHEAD), now, lease);
    if (schedule === null) return count;
    if (await isPremium(ctx, schedule.userId)) {
      await fillUntilStable(ctx, schedule, resumeFrom(schedule, now));
      await refreshScheduleDates(ctx, schedule.userId, schedule.id);
    } else {
      await schedules.set(schedule.userId, schedule.id, { claimedUntil: new Date(now.getTime() + DAY_MS) });
    }
  }
  return MAX_PER_ROUND;
}
