import { AppError } from '#app/domain/errors.ts';
import { nextOccurrence } from '#app/domain/schedules/upcoming-occurrences.ts';
import type { ScheduleRule } from '#app/domain/schedules/schedule-types.ts';
import { pageWithin, pagingSchema, type Page, type PagingInput } from '#app/domain/forms/paging.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** A schedule as its owner sees it. Doses are decimal text in `doseUnit`, days YYYY-MM-DD of its own zone. */
export interface ScheduleView extends ScheduleRule {
  id: string;
  name: string;
  compoundId: string | null;
  route: string | null;
  reminderLeadMinutes: number;
  notes: string | null;
  isActive: boolean;
  /** Null when it is paused or over. */
  nextDoseDate: Date | null;
  /** When the last dose was taken. */
  lastDoseDate: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Zone in which its owner said to keep the schedule's own time. */
  keptIn: string | null;
}

/** What is shown of a stored schedule. A next dose that has passed since it was noted is worked out anew. */
export function scheduleView(record: ScheduleRecord, now: Date): ScheduleView {
  const { userId: _owner, revision: _r, madeUntil: _m, claimedUntil: _c, ...view } = record;
  if (!view.isActive) return { ...view, nextDoseDate: null };
  if (view.nextDoseDate === null || view.nextDoseDate >= now) return view;
  return { ...view, nextDoseDate: nextOccurrence(view, now)?.dueDate ?? null };
}

/** @throws AppError NOT_FOUND for a missing and a foreign one alike */
export async function getOwnedSchedule(ctx: Ctx, ownerId: string, id: string): Promise<ScheduleRecord> {
  const record = await ctx.repos.schedules.findOne(ownerId, id);
  if (record === null) throw new AppError('NOT_FOUND', SCHEDULE_MESSAGES.notFound);
  return record;
}

/**
 * One of the signed-in user's schedules.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function getSchedule(ctx: Ctx, id: string): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  return scheduleView(await getOwnedSchedule(ctx, user.id, id), ctx.now());
}

/** The signed-in user's schedules, newest first. @throws AppError PREMIUM_REQUIRED */
export async function listSchedules(ctx: Ctx, input: PagingInput = {}): Promise<Page<ScheduleView>> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const total = await ctx.repos.schedules.count(user.id);
  const { skip, ...page } = pageWithin(pagingSchema.parse(input), total);
  const records = await ctx.repos.schedules.list(user.id, skip, page.limit);
  return { ...page, items: records.map((record) => scheduleView(record, ctx.now())) };
}

/** The next pending doses of one of the signed-in user's schedules. @throws AppError PREMIUM_REQUIRED */
export async function listNextDoses(ctx: Ctx, id: string, limit: number): Promise<DoseRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  return ctx.repos.doses.list(user.id, { scheduleId: id, status: 'pending', from: ctx.now(), limit });
}
