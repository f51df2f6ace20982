import { DAY_MS, MINUTE_MS } from '#app/domain/time/durations.ts';
import { dayNumber } from '#app/domain/time/calendar-day.ts';
import { chainStep, type ChainPlan } from '#app/domain/schedules/after-last.ts';
import {
  doseOnDay,
  dosesToMake,
  isOverBy,
  occurrences,
  nextOccurrence,
} from '#app/domain/schedules/occurrences.ts';
import type { Occurrence } from '#app/domain/schedules/schedule-rule.ts';
import { calendarDay, localDateTime } from '#app/domain/time/zoned-time.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { LOST, tryCompareAndSet } from '#app/platform/compare-and-set.server.ts';
import { scheduledDoseId } from '#app/platform/ids.server.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';

/** Doses always exist for at least this many days from now. */
const DAYS_AHEAD = 35;
/** One day more is generated, so that each schedule is processed once a day. */
const GENERATED_DAYS = DAYS_AHEAD + 1;
/** The schedule has no further doses to generate. */
const FOREVER = new Date('9999-12-31T00:00:00Z');

const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);

function newDose(
  schedule: ScheduleRecord,
  { localDay, wallTime, dueDate, doseAmount }: Occurrence,
  now: Date,
): DoseRecord {
  const lead = schedule.reminderLeadMinutes;
  return {
    id: scheduledDoseId(schedule.id, localDay, wallTime),
    scheduleId: schedule.id,
    scheduleRevision: schedule.revision,
    name: schedule.name,
    compoundId: schedule.compoundId,
    localDay,
    wallTime,
    timeZone: schedule.timeZone,
    dueDate,
    doseAmount,
    doseUnit: schedule.doseUnit,
    route: schedule.route,
    status: 'pending',
    takenAt: null,
    actualDose: null,
    notes: null,
    site: null,
    round: 0,
    draws: [],
    stockDone: true,
    remindAt: dueDate <= now ? null : new Date(dueDate.getTime() - lead * MINUTE_MS),
    remindStage: lead > 0 ? 'upcoming' : 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
  };
}

/** Doses that regenerating keeps: logged ones, due ones, and ones that an earlier time zone left near the window. */
async function listKeptDoses(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  to: Date,
): Promise<DoseRecord[]> {
  const near = { scheduleId: schedule.id, from: daysAfter(from, -2), before: daysAfter(to, 2) };
  const doses = await ctx.repos.doses.list(schedule.userId, near);
  return doses.filter(
    ({ status, scheduleRevision }) => status !== 'pending' || scheduleRevision !== schedule.revision,
  );
}

/**
 * Removes the future doses of earlier revisions of a schedule, and creates the missing ones up to 36 days from now.
 * Running it twice, or in two processes at once, creates each dose once.
 * @param from no doses are created before this instant
 * @param isPlanned leaves out others
 * @returns whether the schedule was still unchanged at the end; if not, it has to be filled again
 */
async function fillSchedule(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  isPlanned: (occurrence: Occurrence) => boolean = () => true,
): Promise<boolean> {
  const { userId, id, revision } = schedule;
  const now = ctx.now();
  const to = daysAfter(now, GENERATED_DAYS);
  await ctx.repos.doses.deleteFuturePending(userId, id, now, revision);
  // What counts from the last dose has one next dose, which `settleNextDose` makes.
  if (schedule.isActive && schedule.frequency.kind !== 'after-last') {
    const kept = await listKeptDoses(ctx, schedule, from, to);
    const wanted = occurrences(schedule, { from, to }).filter(isPlanned);
    const made = dosesToMake(wanted, kept, schedule.times.length);
    // A schedule goes on whether there is room or not; a full account cannot begin another one.
    await ctx.repos.rowQuota.add(userId, made.length);
    await ctx.repos.doses.createMany(
      userId,
      made.map((dose) => newDose(schedule, dose, now)),
    );
  }
  const isOver = isOverBy(schedule, dayNumber(calendarDay(to, 'UTC')) - 2);
  const madeUntil = isOver ? FOREVER : to;
  return ctx.repos.schedules.set(userId, id, { madeUntil, claimedUntil: null }, revision);
}

/** A schedule that nobody filled for longer than this goes on with the last day, whose doses can still be taken. */
const LOOK_BACK_DAYS = 1;
/** Most days before its creation that get doses, divided by its times of day: so many can still be looked through. */
const MAX_PAST_DAYS = 2000;
/** How long a claim keeps other workers off a schedule. */
const LEASE_MS = MINUTE_MS;
/**
 * Limits retries when a schedule keeps changing while its doses are generated; the worker's next round does the rest.
 */
const MAX_ROUNDS = 5;
/** Schedules per round of the worker; the rest follows in the next round. */
const MAX_PER_ROUND = 500;

/**
 * Updates the dates that a schedule shows: its next pending dose, and when the last one was taken. Call it after every
 * change to one of its doses.
 */
export async function refreshScheduleDates(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
  if (schedule === null) return;
  const { doses, schedules } = ctx.repos;
  const isChain = schedule.frequency.kind === 'after-last';
  if (isChain) await settleNextDose(ctx, ownerId, scheduleId);
  const [pending] = await doses.list(ownerId, {
    scheduleId,
    status: 'pending',
    limit: 1,
    // The next dose that counts from the last one is the latest, and still the next when it is overdue.
    ...(isChain ? { latestFirst: true } : { from: ctx.now() }),
  });
  const [taken] = await doses.list(ownerId, { scheduleId, status: 'taken', latestFirst: true, limit: 1 });
  const later = schedule.isActive && !isChain ? nextOccurrence(schedule, schedule.madeUntil) : null;
  const nextDoseDate = pending?.dueDate ?? later?.dueDate ?? null;
  const lastDoseDate = taken?.takenAt ?? schedule.lastDoseBefore ?? null;
  await schedules.set(ownerId, scheduleId, { nextDoseDate, lastDoseDate });
}

/** More doses than can lie after the next one by their due dates: those that were taken long before they were due. */
const CHAIN_DOSES = 50;
/** Writes until there is one next dose; the worker's next visit does the rest. */
const MAX_CHAIN_STEPS = 10;

function chainPlanOf(schedule: ScheduleRecord, everyHours: number): ChainPlan {
  return {
    everyHours,
    firstDueAt: schedule.firstDueAt ?? schedule.createdAt,
    lastTakenBefore: schedule.lastDoseBefore ?? null,
    resumedAt: schedule.resumedAt ?? null,
  };
}

function chainedDose(
  schedule: ScheduleRecord,
  { after, everyHours, dueDate }: { after: string | null; everyHours: number; dueDate: Date },
  now: Date,
): DoseRecord {
  const [localDay = '', wallTime = ''] = localDateTime(dueDate, schedule.timeZone).split(' ');
  const dose = newDose(
    schedule,
    { localDay, wallTime, dueDate, doseAmount: doseOnDay(schedule, localDay) },
    now,
  );
  return {
    ...dose,
    id: scheduledDoseId(schedule.id, 'after', after ?? 'none'),
    chain: { after, everyHours },
  };
}

/** Times a pending dose anew; its reminders begin again. */
async function moveChained(ctx: Ctx, ownerId: string, dose: DoseRecord, planned: DoseRecord): Promise<void> {
  const { localDay, wallTime, timeZone, dueDate, doseAmount, doseUnit, remindAt, remindStage, chain } =
    planned;
  const when = { localDay, wallTime, timeZone, dueDate, missAt: null, chain };
  const reminder = { remindAt, remindStage, remindCount: 0, remindClaimedUntil: null };
  const changes = { ...when, ...reminder, doseAmount, doseUnit };
  const moved = await ctx.repos.doses.compareAndSet(ownerId, dose.id, dose.version, changes);
  if (moved !== null) await ctx.repos.reminders.markDoseRead(ownerId, dose.id);
}

/**
 * Makes, moves or removes the next dose of a schedule that counts from the last one taken, until it has the one that
 * follows from its other doses. Looks again after each write, so that it does not matter who else does the same.
 */
async function settleNextDose(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  const { doses, schedules, rowQuota } = ctx.repos;
  for (let count = 0; count < MAX_CHAIN_STEPS; count += 1) {
    const schedule = await schedules.find(ownerId, scheduleId);
    if (schedule === null) return doses.deleteFuturePending(ownerId, scheduleId, null);
    const { frequency, timeZone, endDate, isActive } = schedule;
    const now = ctx.now();
    if (frequency.kind !== 'after-last' || !isActive)
      return doses.deleteFuturePending(ownerId, scheduleId, now, schedule.revision);
    const { everyHours } = frequency;
    const found = await doses.list(ownerId, { scheduleId, latestFirst: true, limit: CHAIN_DOSES });
    const step = chainStep(
      found,
      chainPlanOf(schedule, everyHours),
      (due) => endDate !== null && calendarDay(due, timeZone) > endDate,
    );
    if (step.kind === 'none') return;
    if (step.kind === 'remove') {
      await doses.deleteVersion(ownerId, step.dose.id, step.dose.version);
      continue;
    }
    const after = step.kind === 'make' ? step.after : (step.dose.chain?.after ?? null);
    const planned = chainedDose(schedule, { after, everyHours, dueDate: step.dueDate }, now);
    if (step.kind === 'move') await moveChained(ctx, ownerId, step.dose, planned);
    else {
      await rowQuota.add(ownerId, 1);
      await doses.createMany(ownerId, [planned]);
    }
  }
}

/** Fills a schedule, and again if it was changed in the meantime. */
async function fillUntilStable(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  isPlanned?: (occurrence: Occurrence) => boolean,
): Promise<void> {
  let current = schedule;
  let begin = from;
  await tryCompareAndSet(async () => {
    if (await fillSchedule(ctx, current, begin, isPlanned)) return null;
    const changed = await ctx.repos.schedules.find(current.userId, current.id);
    if (changed === null) {
      await ctx.repos.doses.deleteFuturePending(current.userId, current.id, null);
      return null;
    }
    [current, begin] = [changed, ctx.now()];
    return LOST;
  }, MAX_ROUNDS);
}

/**
 * Generates the doses of one schedule for 35 days from now, removes those it no longer has, and updates its dates. For
 * the request that changes it.
 * @param from no doses are created before this instant, by default now
 */
export async function generateDoses(
  ctx: Ctx,
  ownerId: string,
  scheduleId: string,
  from: Date = ctx.now(),
): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
  if (schedule === null) return;
  await fillUntilStable(ctx, schedule, from);
  await refreshScheduleDates(ctx, ownerId, scheduleId);
}

/**
 * Generates the doses of a new schedule: 35 days ahead, and those since its first day, which its owner can log. A time
 * of today that has passed already is none: whoever plans 09:00 at 10:41 means from tomorrow on.
 */
export async function generateFirstDoses(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
  if (schedule === null) return;
  const now = ctx.now();
  const today = calendarDay(now, schedule.timeZone);
  const earliest = daysAfter(now, -Math.ceil(MAX_PAST_DAYS / Math.max(1, schedule.times.length)));
  // A zone's day begins up to a day before midnight UTC.
  const firstDay = new Date((dayNumber(schedule.startDate) - 1) * DAY_MS);
  const from = firstDay > earliest ? firstDay : earliest;
  await fillUntilStable(
    ctx,
    schedule,
    from < now ? from : now,
    ({ localDay, dueDate }) => dueDate >= now || localDay < today,
  );
  await refreshScheduleDates(ctx, ownerId, scheduleId);
}

/** Generation continues where it ended, but no further back than what can still be taken. */
function resumeFrom(schedule: ScheduleRecord, now: Date): Date {
  const earliest = daysAfter(now, -LOOK_BACK_DAYS);
  return schedule.madeUntil > earliest ? schedule.madeUntil : earliest;
}

async function isPremium(ctx: Ctx, userId: string): Promise<boolean> {
  const user = await ctx.repos.users.find(userId);
  return user !== null && entitlementOf(user, ctx.now()).isPremium;
}

/**
 * The worker's job: generates the doses of all schedules that run short of them. One worker claims a schedule for a
 * minute; if it dies, another takes over. Schedules of accounts without Premium wait for a day.
 * @returns how many schedules were processed
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
