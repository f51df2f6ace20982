import { AppError, conflict } from '#app/domain/errors.ts';
import { confirmDoseError } from '#app/domain/doses/dose-warnings.ts';
import { planKey } from '#app/domain/doses/unusual-amounts.ts';
import { strengthOf } from '#app/domain/vials/concentration.ts';
import { isFinal, type Vial } from '#app/domain/vials/vial.ts';
import type { ScheduleRule, Occurrence } from '#app/domain/schedules/schedule-rule.ts';
import {
  SCHEDULE_MESSAGES,
  confirmPlanSchema,
  type PlanConfirmation,
  type ScheduleFields,
  scheduleSchema,
  toggleSchema,
} from '#app/domain/schedules/schedule-schema.ts';
import type { ScheduleRecord, DoseRecord, ScheduleChanges } from '#models/index.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { nextOccurrence, previewDoses } from '#app/domain/schedules/occurrences.ts';
import { pageWithin, pagingSchema, type Page, type PagingInput } from '#app/domain/forms/paging.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { findPlanWarnings } from '#app/features/amounts/index.server.ts';
import { generateDoses, generateFirstDoses } from './dose-generation.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { calendarDay, readMoment } from '#app/domain/time/zoned-time.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';

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

/**
 * Whether doses from before a schedule of the signed-in user was made are not logged: it began in the past, and its owner
 * has not said yet what became of them. @throws AppError PREMIUM_REQUIRED
 */
export async function hasUnloggedPast(
  ctx: Ctx,
  { id, createdAt }: Pick<ScheduleView, 'id' | 'createdAt'>,
): Promise<boolean> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const past = { scheduleId: id, status: ['pending', 'missed'] as const, before: createdAt, limit: 1 };
  return (await ctx.repos.doses.list(user.id, past)).length > 0;
}

/**
 * Creates a schedule of the signed-in user with its doses for 35 days. A second call with the same `saveKey` returns
 * the schedule of the first.
 * @param input checked here; the time zone and the reminder lead default to the user's own
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, PLAN_LIMIT when the account is full; CONFIRM_DOSE for an unusual
 *   amount, unless `confirm` is true or `confirmedAmount` names what was asked about
 */
export async function createSchedule(ctx: Ctx, input: unknown): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const { saveKey, ...fields } = parseInput(scheduleSchema, input);
  const answer = parseInput(confirmPlanSchema, input);
  const { leadDefault } = await getNotificationChoices(ctx, user.id);
  const facts = toScheduleFacts(fields, { timeZone: ctx.timeZone, lead: leadDefault, now: ctx.now() });
  const vial = await requireUsableVial(ctx, user.id, facts.compoundId);
  const now = ctx.now();
  const id = idFromKey('sched', now, user.id, saveKey);
  const findEarlier = () => ctx.repos.schedules.find(user.id, id);
  if (!isAnswered(answer, facts) && (await findEarlier()) === null)
    await askAboutPlan(ctx, user, { facts, before: null, vial });
  await takeRows(ctx, { id: user.id, isPremium: true }, { findEarlier });
  const { schedule, isNew } = await ctx.repos.schedules.create({
    id,
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
  if (isNew) await generateFirstDoses(ctx, user.id, schedule.id);
  return scheduleView(await getOwnedSchedule(ctx, user.id, schedule.id), now);
}

/** A schedule before it is saved. */
interface SchedulePreview {
  /** The first 14 doses from the start date on, fewer if there are no more. */
  doses: Occurrence[];
  rule: ScheduleRule;
}

/**
 * The first doses of a schedule, without saving it.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function previewSchedule(ctx: Ctx, input: unknown): Promise<SchedulePreview> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const rule = toScheduleFacts(parseInput(scheduleSchema, input), {
    timeZone: ctx.timeZone,
    lead: 0,
    now: ctx.now(),
  });
  await requireUsableVial(ctx, user.id, rule.compoundId);
  return { doses: previewDoses(rule), rule };
}

/**
 * Changes the given fields of a schedule; null or '' clears a value. Only pending doses that are due from now on are
 * recreated; history keeps its times.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT; CONFIRM_DOSE for an unusual amount, as above
 */
export async function updateSchedule(
  ctx: Ctx,
  id: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const before = await getOwnedSchedule(ctx, user.id, id);
  const fields = parseInput(scheduleSchema, { ...before, ...changes });
  const answer = parseInput(confirmPlanSchema, changes);
  const facts = toScheduleFacts(fields, {
    timeZone: ctx.timeZone,
    lead: before.reminderLeadMinutes,
    now: ctx.now(),
  });
  const isOtherVial = facts.compoundId !== before.compoundId;
  const vial = isOtherVial ? await requireUsableVial(ctx, user.id, facts.compoundId) : null;
  if (sameFacts(before, facts)) return scheduleView(before, ctx.now());
  if (!isAnswered(answer, facts)) await askAboutPlan(ctx, user, { facts, before, vial });
  return reviseSchedule(ctx, before, facts);
}

/** Whether the question about these amounts has been answered. */
const isAnswered = ({ confirm, confirmedAmount }: PlanConfirmation, facts: ScheduleFacts): boolean =>
  confirm === true || confirmedAmount === planKey(facts.name, facts);

/** @throws AppError CONFIRM_DOSE for amounts that are probably a slip */
async function askAboutPlan(
  ctx: Ctx,
  { id, syringe }: Pick<SignedInUser, 'id' | 'syringe'>,
  { facts, before, vial }: { facts: ScheduleFacts; before: ScheduleRecord | null; vial: Vial | null },
): Promise<void> {
  const warnings = await findPlanWarnings(
    ctx,
    { id, timeZone: ctx.timeZone, syringe },
    {
      name: facts.name,
      plan: facts,
      before,
      leftMg: vial === null ? null : vial.remaining,
      strength: vial === null ? null : strengthOf(vial),
    },
  );
  if (warnings.length > 0) throw confirmDoseError(warnings);
}

function sameFacts(record: ScheduleRecord, facts: ScheduleFacts): boolean {
  const names = Object.keys(facts).sort() as (keyof ScheduleFacts)[];
  const text = (of: ScheduleFacts) => JSON.stringify(names.map((name) => of[name]));
  return text(record) === text(facts);
}

/**
 * Pauses a schedule, which removes its future pending doses, or resumes it, which creates them again.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT
 */
export async function toggleSchedule(ctx: Ctx, id: string, input: unknown): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const { isActive } = parseInput(toggleSchema, input);
  const before = await getOwnedSchedule(ctx, user.id, id);
  if (before.isActive === isActive) return scheduleView(before, ctx.now());
  const resumed = isActive ? { resumedAt: ctx.now() } : {};
  return reviseSchedule(ctx, before, { isActive, ...resumed });
}

/**
 * Changes a schedule and recreates its future doses. Doses that are due, taken, skipped or missed stay as they are.
 * @throws AppError CONFLICT if it was changed since it was read
 */
export async function reviseSchedule(
  ctx: Ctx,
  before: ScheduleRecord,
  changes: ScheduleChanges,
): Promise<ScheduleView> {
  const now = ctx.now();
  const { userId, id, revision } = before;
  const revised = await ctx.repos.schedules.revise(userId, id, revision, { ...changes, updatedAt: now });
  if (revised === null) throw conflict('CHANGED_MEANWHILE', SCHEDULE_MESSAGES.changed);
  await generateDoses(ctx, userId, id, now);
  return scheduleView(await getOwnedSchedule(ctx, userId, id), now);
}

/**
 * Deletes a schedule with its pending doses. Taken, skipped and missed doses stay.
 * @returns the deleted schedule
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function deleteSchedule(ctx: Ctx, id: string): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const schedule = await getOwnedSchedule(ctx, user.id, id);
  const { doses, schedules } = ctx.repos;
  await doses.deleteFuturePending(user.id, id, null);
  await schedules.delete(user.id, id);
  // A worker may have created doses in between; one that finishes later finds the schedule gone and removes its own.
  await doses.deleteFuturePending(user.id, id, null);
  return scheduleView(schedule, ctx.now());
}

/** @throws AppError NOT_FOUND, also for somebody else's schedule */
export async function getOwnedSchedule(ctx: Ctx, ownerId: string, id: string): Promise<ScheduleRecord> {
  const record = await ctx.repos.schedules.find(ownerId, id);
  if (record === null) throw new AppError('NOT_FOUND', SCHEDULE_MESSAGES.notFound);
  return record;
}

/** A schedule as its owner sees it. Doses are decimal text in `doseUnit`, days are YYYY-MM-DD in its own time zone. */
export interface ScheduleView extends ScheduleRule {
  id: string;
  name: string;
  compoundId: string | null;
  route: string | null;
  reminderLeadMinutes: number;
  notes: string | null;
  isActive: boolean;
  /** Null when paused or ended. */
  nextDoseDate: Date | null;
  /** When the last dose was taken. */
  lastDoseDate: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** The time zone in which its owner chose to keep home time. */
  keptIn: string | null;
}

/** The view of a stored schedule. A stored next dose that has passed in the meantime is computed again. */
function scheduleView(record: ScheduleRecord, now: Date): ScheduleView {
  const { userId: _owner, revision: _r, madeUntil: _m, claimedUntil: _c, resumedAt: _at, ...view } = record;
  if (!view.isActive) return { ...view, nextDoseDate: null };
  // What counts from the last dose waits until it is taken, however late.
  if (view.frequency.kind === 'after-last') return view;
  if (view.nextDoseDate === null || view.nextDoseDate >= now) return view;
  return { ...view, nextDoseDate: nextOccurrence(view, now)?.dueDate ?? null };
}

/** The fields of a schedule that its owner sets, as stored. */
type ScheduleFacts = Pick<
  ScheduleRecord,
  keyof ScheduleRule | 'name' | 'compoundId' | 'route' | 'reminderLeadMinutes' | 'notes'
>;

/** Valid fields, completed with defaults. A schedule that counts from the last dose starts on the day of its first one. */
export function toScheduleFacts(
  fields: ScheduleFields,
  defaults: { timeZone: string; lead: number; now: Date },
): ScheduleFacts {
  const timeZone = fields.timeZone ?? defaults.timeZone;
  const firstDueAt = firstDueAtOf(fields, timeZone, defaults.now);
  const startDate = firstDueAt === null ? fields.startDate : calendarDay(firstDueAt, timeZone);
  return {
    name: fields.name ?? '',
    compoundId: fields.compoundId ?? null,
    doseAmount: fields.ramp?.start ?? fields.doseAmount ?? '',
    doseUnit: fields.doseUnit,
    frequency: fields.frequency,
    times: fields.times,
    firstDueAt,
    timeZone,
    startDate,
    endDate: fields.endDate ?? null,
    route: fields.route ?? null,
    reminderLeadMinutes: fields.reminderLeadMinutes ?? defaults.lead,
    notes: fields.notes ?? null,
    ramp: fields.ramp ?? null,
    course: fields.course ?? null,
  };
}

function firstDueAtOf({ frequency, firstDueAt }: ScheduleFields, timeZone: string, now: Date): Date | null {
  if (frequency.kind !== 'after-last') return null;
  return firstDueAt === undefined ? now : (readMoment(firstDueAt, timeZone, now) ?? now);
}

/** @throws AppError INVALID_INPUT for somebody else's vial, and for one that is empty or discarded */
async function requireUsableVial(ctx: Ctx, ownerId: string, compoundId: string | null): Promise<Vial | null> {
  if (compoundId === null) return null;
  const vial = await ctx.repos.compounds.find(ownerId, compoundId);
  if (vial !== null && !isFinal(vial)) return vial;
  const message = vial === null ? SCHEDULE_MESSAGES.compoundId : SCHEDULE_MESSAGES.finalVial;
  throw new AppError('INVALID_INPUT', message, { fields: { compoundId: [message] } });
}
