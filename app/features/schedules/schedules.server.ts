import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { confirmDoseError, planKey } from '#app/domain/doses/dose-warnings.ts';
import { substanceUnitOf, type Component, type DoseUnit } from '#app/domain/calculator/calculation.ts';
import {
  containerOf,
  strengthOf,
  blendOf,
  contentsOf,
  dosedAt,
  leftTexts,
  type Blend,
} from '#app/domain/vials/contents.ts';
import { isFinal, measureOf, vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import type { ScheduleRule, Occurrence } from '#app/domain/schedules/schedule-rule.ts';
import {
  SCHEDULE_MESSAGES,
  confirmPlanSchema,
  NO_FIRST_DAY,
  scheduleDetailsOf,
  type ScheduleDetails,
  type PlanConfirmation,
  type ScheduleFields,
  scheduleSchema,
  toggleSchema,
} from '#app/domain/schedules/schedule-schema.ts';
import type { ScheduleRecord, DoseRecord, ScheduleChanges } from '#models/index.server.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import {
  firstOccurrences,
  nextOccurrence,
  PREVIEW_DOSES,
  previewDoses,
} from '#app/domain/schedules/occurrences.ts';
import { pageWithin, pagingSchema, type Page, type PagingInput } from '#app/domain/forms/paging.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { premiumOwner, type PremiumOwner } from '#app/platform/access/owner.server.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { BlendedRule } from '#app/domain/schedules/describe-schedule.ts';
import { movesAfterChange, isSamePart, partOn, swapOn } from '#app/domain/schedules/plan-changes.ts';
import { findPlanWarnings, type PlanRequest } from '#app/features/amounts/index.server.ts';
import { generateDoses, generateFirstDoses, blendOfPlan, lastVialOf } from './dose-generation.server.ts';
import { vialEndOf } from './planned-doses.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { calendarDay, readMoment, dayAfter, daysBetween } from '#app/domain/time/zoned-time.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import {
  AGAIN_MESSAGES,
  beginAgainSchema,
  canBeginAgain,
  type BeginAgainInput,
} from '#app/domain/schedules/plan-change-schema.ts';
import { repos } from './repositories.server.ts';

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
  const total = await repos(ctx).schedules.count(user.id);
  const { skip, ...page } = pageWithin(pagingSchema.parse(input), total);
  const records = await repos(ctx).schedules.list(user.id, skip, page.limit);
  return { ...page, items: records.map((record) => scheduleView(record, ctx.now())) };
}

/** The same for the API. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT */
export async function pageOfSchedules(
  ctx: Ctx,
  { updatedSince, ...request }: PageRequest & { updatedSince?: Date | undefined },
) {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const { items, paging } = await pageFrom<ScheduleRecord>(request, {
    name: 'schedules',
    kinds: ['instant', 'text'],
    placeOf: ({ createdAt, id }) => [createdAt, id],
    read: (slice) => repos(ctx).schedules.page(user.id, updatedSince, slice),
    count: () => repos(ctx).schedules.count(user.id, updatedSince),
  });
  return { items: items.map((record) => scheduleView(record, ctx.now())), paging };
}

/** Maximum number of schedules listed in the terminal. */
const MOST_LISTED = 500;

/**
 * An owner's schedules, newest first, at most 500.
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function listSchedulesOf(ctx: Ctx, email?: string): Promise<ScheduleView[]> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const records = await repos(ctx).schedules.list(owner.id, 0, MOST_LISTED);
  return records.map((record) => scheduleView(record, ctx.now()));
}

/** The next pending doses of one of the signed-in user's schedules. @throws AppError PREMIUM_REQUIRED */
export async function listNextDoses(ctx: Ctx, id: string, limit: number): Promise<DoseRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  return repos(ctx).doses.list(user.id, { scheduleId: id, status: 'pending', from: ctx.now(), limit });
}

/**
 * Whether a schedule of the signed-in user has unlogged doses from before it was created, because it starts in the past.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function hasUnloggedPast(
  ctx: Ctx,
  { id, createdAt }: Pick<ScheduleView, 'id' | 'createdAt'>,
): Promise<boolean> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const past = { scheduleId: id, status: ['pending', 'missed'] as const, before: createdAt, limit: 1 };
  return (await repos(ctx).doses.list(user.id, past)).length > 0;
}

/**
 * Creates a schedule of the signed-in user with its doses for 35 days, in one act; a long past follows in pieces. A second call with the same `saveKey` returns
 * the schedule of the first.
 * @param input checked here; the time zone and the reminder lead default to the user's own
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, PLAN_LIMIT when the account is full; CONFIRM_DOSE for an unusual
 *   amount, unless `confirm` is true or `confirmedAmount` names what was asked about
 * @param email the owner, when called from the terminal
 */
export async function createSchedule(ctx: Ctx, input: unknown, email?: string): Promise<ScheduleView> {
  const user = await premiumOwner(ctx, 'schedule.manage', email);
  const { saveKey, ...fields } = parseInput(scheduleSchema, input);
  const answer = parseInput(confirmPlanSchema, input);
  const { leadDefault } = await getNotificationChoices(ctx, user.id);
  const described = toScheduleFacts(fields, { timeZone: ctx.timeZone, lead: leadDefault, now: ctx.now() });
  const vial = await requireUsableVial(ctx, user.id, described.compoundId, described.doseUnit);
  const facts = { ...described, blend: await blendOfPlan(ctx, user.id, fields, vial) };
  refuseNoVial(facts);
  const now = ctx.now();
  const id = idFromKey('sched', now, user.id, saveKey);
  return ctx.transaction(async () => {
    const earlier = await repos(ctx).schedules.find(user.id, id);
    if (earlier !== null) return scheduleView(earlier, now);
    if (!isAnswered(answer, facts)) await askAboutPlan(ctx, user, { facts, before: null, vial });
    await takeRows(ctx, { id: user.id, isPremium: true });
    const schedule: ScheduleRecord = {
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
    };
    await repos(ctx).schedules.create(schedule);
    await generateFirstDoses(ctx, schedule);
    return scheduleView(await getOwnedSchedule(ctx, user.id, id), now);
  });
}

/** A schedule before it is saved. */
interface SchedulePreview {
  /** The first 14 doses from the start date on, fewer if there are no more. */
  doses: Occurrence[];
  rule: BlendedRule<ScheduleRule>;
  /** The day (YYYY-MM-DD) it will probably end with its vial; null if it does not, or the day is unknown. */
  endsAbout: string | null;
}

/**
 * The first doses of a schedule, without saving it.
 * @param changedId the schedule that the input would change; the preview then has its next doses, with its moves and pauses
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function previewSchedule(
  ctx: Ctx,
  input: Readonly<Record<string, unknown>>,
  changedId: string | null = null,
): Promise<SchedulePreview> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const now = ctx.now();
  const fields = parseInput(scheduleSchema, input);
  const facts = toScheduleFacts(fields, { timeZone: ctx.timeZone, lead: 0, now });
  if (changedId === null) {
    const vial = await requireUsableVial(ctx, user.id, facts.compoundId, facts.doseUnit);
    const blend = await blendOfPlan(ctx, user.id, fields, vial);
    refuseNoVial(facts);
    const rule = { ...facts, blend };
    const endsAbout = await vialEndOf(ctx, user.id, { ...rule, id: null });
    return { doses: previewDoses(facts), rule, endsAbout };
  }
  const stored = await getOwnedSchedule(ctx, user.id, changedId);
  const today = calendarDay(now, stored.timeZone);
  const before = partOn(stored, today);
  const isOtherVial = isOtherSource(facts, before);
  const vial = isOtherVial ? await requireUsableVial(ctx, user.id, facts.compoundId, facts.doseUnit) : null;
  const blendBefore = blendFields(before, input);
  const request = { ...fields, ...blendBefore, doseOf: fields.doseOf ?? blendBefore.doseOf };
  const changed = { ...facts, blend: await blendOfPlan(ctx, user.id, request, vial) };
  const moves = movesAfterChange(before.moves, changedTiming(before, changed), now);
  refuseNoVial(facts, before);
  const keepsVial = facts.endsWithVial === true && facts.compoundId === before.compoundId;
  const stopsAt = keepsVial ? (stored.stopsAt ?? null) : null;
  const rule = { ...stored, ...changed, moves, ...swapsAfterChange(stored, changed, today), stopsAt };
  const endsAbout = await vialEndOf(ctx, user.id, rule);
  return { doses: firstOccurrences(rule, now, PREVIEW_DOSES), rule, endsAbout };
}

/**
 * Rejects a schedule that ends with a vial but names none, unless it already was like that before.
 * @throws AppError INVALID_INPUT
 */
function refuseNoVial(
  { endsWithVial, compoundId }: ScheduleFacts,
  before: Pick<ScheduleRecord, 'endsWithVial' | 'compoundId'> | null = null,
): void {
  if (endsWithVial !== true || compoundId !== null) return;
  if (before?.endsWithVial === true && before.compoundId === null) return;
  throw fieldError('endsWithVial', SCHEDULE_MESSAGES.endsWithNoVial);
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
  const user = await premiumOwner(ctx, 'schedule.manage');
  return changeSchedule(ctx, user.id, id, (stored) => changedFields(ctx, user, stored, changes));
}

/** What a change of some fields changes; null for nothing. */
async function changedFields(
  ctx: Ctx,
  user: PremiumOwner,
  stored: ScheduleRecord,
  changes: Readonly<Record<string, unknown>>,
): Promise<ScheduleChanges | null> {
  const now = ctx.now();
  const today = calendarDay(now, stored.timeZone);
  const before = partOn(stored, today);
  const fields = parseInput(scheduleSchema, { ...before, ...blendFields(before, changes), ...changes });
  const answer = parseInput(confirmPlanSchema, changes);
  const described = toScheduleFacts(fields, {
    timeZone: ctx.timeZone,
    lead: before.reminderLeadMinutes,
    now,
  });
  const isOtherVial = isOtherSource(described, before);
  const vial = isOtherVial
    ? await requireUsableVial(ctx, user.id, described.compoundId, described.doseUnit)
    : null;
  const facts = { ...described, blend: await blendOfPlan(ctx, user.id, fields, vial) };
  refuseNoVial(facts, before);
  if (sameFacts({ ...before, endsWithVial: before.endsWithVial === true }, facts)) return null;
  if (!isAnswered(answer, facts)) await askAboutPlan(ctx, user, { facts, before, vial });
  const moves = before.moves
    ? { moves: movesAfterChange(before.moves, changedTiming(before, facts), now) }
    : {};
  return { ...facts, ...moves, ...swapsAfterChange(stored, facts, today) };
}

/**
 * The fields to save so that a change of a schedule respects its swaps. If the change leaves compound, vial and dose as they
 * are, everything stays; otherwise the change replaces the swap in force.
 */
function swapsAfterChange(stored: ScheduleRecord, facts: ScheduleFacts, today: string): ScheduleChanges {
  if (swapOn(stored.swaps, today) === null) return {};
  const part = partOn(stored, today);
  if (isSamePart(part, { ...part, ...facts })) {
    const { name, compoundId, doseAmount, ramp, blend = null } = stored;
    return { name, compoundId, doseAmount, ramp, blend };
  }
  return { swaps: (stored.swaps ?? []).filter(({ fromDay }) => fromDay > today) };
}

/** True if a change names another vial, or another measure, which the vial has to share. */
const isOtherSource = (
  after: Pick<ScheduleFacts, 'compoundId' | 'doseUnit'>,
  before: Pick<ScheduleFacts, 'compoundId' | 'doseUnit'>,
): boolean =>
  after.compoundId !== before.compoundId ||
  substanceUnitOf(after.doseUnit) !== substanceUnitOf(before.doseUnit);

/** Which parts of a schedule's timing change. */
function changedTiming(before: ScheduleRecord, facts: ScheduleFacts): { days: boolean; times: boolean } {
  const days = ({ frequency, startDate }: ScheduleFacts) => JSON.stringify([frequency, startDate]);
  return { days: days(before) !== days(facts), times: before.times.join() !== facts.times.join() };
}

/** Whether the question about these amounts has been answered. */
export const isAnswered = ({ confirm, confirmedAmount }: PlanConfirmation, facts: AskedPlan): boolean =>
  confirm === true || confirmedAmount === planKey(facts.name, facts);

/** The plan that a question about amounts refers to. */
type AskedPlan = ScheduleRule & Pick<ScheduleFacts, 'name' | 'blend'>;

/** @throws AppError CONFIRM_DOSE for amounts that are probably a slip */
export async function askAboutPlan(
  ctx: Ctx,
  { id, timeZone, syringe }: PremiumOwner,
  { facts, before, vial }: { facts: AskedPlan; before: ScheduleRecord | null; vial: Vial | null },
): Promise<void> {
  const warnings = await findPlanWarnings(
    ctx,
    { id, timeZone, syringe },
    {
      name: facts.name,
      plan: facts,
      before,
      blend: facts.blend ?? null,
      ...stockOf(vial, facts),
    },
  );
  if (warnings.length > 0) throw confirmDoseError(warnings);
}

/** How much of the dosed compound the vial holds, and its concentration. */
function stockOf(
  vial: Vial | null,
  { name, blend }: AskedPlan,
): Pick<PlanRequest, 'leftMg' | 'strength' | 'container'> {
  if (vial === null) return { leftMg: null, strength: null };
  const at = dosedAt(contentsOf(vial), { doseOf: blend?.doseOf, name });
  return {
    leftMg: leftTexts(vial)[at] ?? null,
    strength: strengthOf(vial, at),
    container: containerOf(vial),
  };
}

/** The blend that a change keeps: the previous one, unless it names another vial or other components. */
function blendFields(
  { name, blend, compoundId }: ScheduleRecord,
  changes: Readonly<Record<string, unknown>>,
): { components?: readonly Component[]; doseOf?: string } {
  const isOther =
    ('compoundId' in changes && (changes['compoundId'] || null) !== compoundId) ||
    // Without a vial, the name decides which stock is used.
    (compoundId === null &&
      typeof changes['name'] === 'string' &&
      vialNameKey(changes['name']) !== vialNameKey(name));
  if (!blend || isOther || changes['components'] !== undefined) return {};
  return { components: blend.components, doseOf: blend.doseOf };
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
  const resumed = isActive ? { resumedAt: ctx.now() } : {};
  return changeSchedule(ctx, user.id, id, (before) =>
    before.isActive === isActive ? null : { isActive, ...resumed },
  );
}

/**
 * Sets whether a schedule ends with the vial that it draws from.
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT when it names no vial, CONFLICT
 */
export async function setEndsWithVial(
  ctx: Ctx,
  id: string,
  endsWithVial: boolean,
  email?: string,
): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  return changeSchedule(ctx, owner.id, id, (before) => {
    if ((before.endsWithVial === true) === endsWithVial) return null;
    if (endsWithVial && lastVialOf(before) === null)
      throw fieldError('endsWithVial', SCHEDULE_MESSAGES.endsWithNoVial);
    return { endsWithVial };
  });
}

/**
 * Changes a schedule and recreates its future doses, in one act. Doses that are due, taken, skipped or missed stay as they
 * are.
 * @param decide returns what changes, null for nothing; only reads, and may run again if somebody else changes what it read
 * @throws AppError NOT_FOUND, and whatever `decide` throws
 */
export function changeSchedule(
  ctx: Ctx,
  ownerId: string,
  id: string,
  decide: (before: ScheduleRecord) => Promise<ScheduleChanges | null> | ScheduleChanges | null,
): Promise<ScheduleView> {
  return ctx.transaction(async () => {
    const before = await getOwnedSchedule(ctx, ownerId, id);
    const now = ctx.now();
    const changes = await decide(before);
    if (changes === null) return scheduleView(before, now);
    await repos(ctx).schedules.revise(ownerId, id, { ...changes, updatedAt: now });
    await generateDoses(ctx, ownerId, id, now);
    return scheduleView(await getOwnedSchedule(ctx, ownerId, id), now);
  });
}

/**
 * Deletes a schedule with its pending doses. Taken, skipped and missed doses stay.
 * @returns the deleted schedule
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function deleteSchedule(ctx: Ctx, id: string): Promise<ScheduleView> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  return ctx.transaction(async () => {
    const schedule = await getOwnedSchedule(ctx, user.id, id);
    await repos(ctx).doses.deleteFuturePending(user.id, id, null);
    await repos(ctx).schedules.delete(user.id, id);
    return scheduleView(schedule, ctx.now());
  });
}

/** @throws AppError NOT_FOUND, also for someone else's schedule */
export async function getOwnedSchedule(ctx: Ctx, ownerId: string, id: string): Promise<ScheduleRecord> {
  const record = await repos(ctx).schedules.find(ownerId, id);
  if (record === null) throw new AppError('NOT_FOUND', SCHEDULE_MESSAGES.notFound);
  return record;
}

/**
 * A schedule as its owner sees it, with today's compound, vial and dose. Doses are decimal text in `doseUnit`, days are
 * YYYY-MM-DD in its own time zone.
 */
export interface ScheduleView extends ScheduleRule, ScheduleDetails {
  id: string;
  name: string;
  compoundId: string | null;
  /** The blend its doses are drawn from, if any. */
  blend?: Blend | null;
  reminderLeadMinutes: number;
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

/** The view of a stored schedule. A stored next dose that has passed meanwhile is calculated again. */
export function scheduleView(record: ScheduleRecord, now: Date): ScheduleView {
  const part = partOn(record, calendarDay(now, record.timeZone));
  const { userId: _owner, revision: _r, madeUntil: _m, claimedUntil: _c, resumedAt: _at, ...rest } = part;
  const { pastFrom: _past, ...view } = rest;
  if (!view.isActive) return { ...view, nextDoseDate: null };
  // If it counts from the last dose, the next one stays due until it is taken, however late.
  if (view.frequency.kind === 'after-last') return view;
  if (view.nextDoseDate === null || view.nextDoseDate >= now) return view;
  return { ...view, nextDoseDate: nextOccurrence(view, now)?.dueDate ?? null };
}

/** The fields of a schedule that its owner sets, as stored. */
type ScheduleFacts = Pick<
  ScheduleRecord,
  | Exclude<keyof ScheduleRule, 'moves' | 'pauses' | 'swaps' | 'stopsAt'>
  | 'name'
  | 'compoundId'
  | 'blend'
  | 'reminderLeadMinutes'
  | keyof ScheduleDetails
>;

/**
 * Valid fields, completed with defaults. A schedule that counts from the last dose starts on the day of its first dose, an
 * as-needed one on the day it is created unless it names another.
 */
export function toScheduleFacts(
  fields: ScheduleFields,
  defaults: { timeZone: string; lead: number; now: Date },
): ScheduleFacts {
  const timeZone = fields.timeZone ?? defaults.timeZone;
  const firstDueAt = firstDueAtOf(fields, timeZone, defaults.now);
  const isUnnamed = fields.frequency.kind === 'as-needed' && fields.startDate === NO_FIRST_DAY;
  const firstMoment = isUnnamed ? defaults.now : firstDueAt;
  const startDate = firstMoment === null ? fields.startDate : calendarDay(firstMoment, timeZone);
  return {
    name: fields.name ?? '',
    compoundId: fields.compoundId ?? null,
    endsWithVial: fields.endsWithVial === true,
    blend: blendOf(fields, { name: fields.name ?? '', doseOf: fields.doseOf }),
    doseAmount: fields.ramp?.start ?? fields.doseAmount ?? '',
    doseUnit: fields.doseUnit,
    frequency: fields.frequency,
    times: fields.times,
    firstDueAt,
    timeZone,
    startDate,
    endDate: fields.endDate ?? null,
    ...scheduleDetailsOf(fields),
    reminderLeadMinutes: fields.reminderLeadMinutes ?? defaults.lead,
    ramp: fields.ramp ?? null,
    course: fields.course ?? null,
  };
}

function firstDueAtOf({ frequency, firstDueAt }: ScheduleFields, timeZone: string, now: Date): Date | null {
  if (frequency.kind !== 'after-last') return null;
  return firstDueAt === undefined ? now : (readMoment(firstDueAt, timeZone, now) ?? now);
}

/**
 * @param unit of the doses that are drawn from it
 * @throws AppError INVALID_INPUT for someone else's vial, one that is empty or discarded, or one of another measure
 */
export async function requireUsableVial(
  ctx: Ctx,
  ownerId: string,
  compoundId: string | null,
  unit: DoseUnit,
): Promise<Vial | null> {
  if (compoundId === null) return null;
  const vial = await repos(ctx).vials.find(ownerId, compoundId);
  if (vial !== null && !isFinal(vial)) {
    if (measureOf(vial) === substanceUnitOf(unit)) return vial;
    throw fieldError('doseUnit', SCHEDULE_MESSAGES.otherMeasure(measureOf(vial)));
  }
  const message = vial === null ? SCHEDULE_MESSAGES.compoundId : SCHEDULE_MESSAGES.finalVial;
  throw fieldError('compoundId', message);
}

/** The settings of an ended schedule, as input for a new one. */
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
  const vial = old.compoundId === null ? null : await repos(ctx).vials.find(owner.id, old.compoundId);
  const isUsable = vial !== null && !isFinal(vial);
  const { name, doseAmount, doseUnit, frequency, times, timeZone, reminderLeadMinutes } = old;
  const plan = {
    ...{ name, doseAmount, doseUnit, frequency, times, timeZone, reminderLeadMinutes },
    ...scheduleDetailsOf(old),
    ...{ ramp: old.ramp, course: old.course, startDate: begin },
    ...(firstDueAt !== undefined && { firstDueAt }),
    endDate: length === null ? null : dayAfter(begin, length),
    compoundId: isUsable ? vial.id : null,
    ...(old.blend && { components: old.blend.components, doseOf: old.blend.doseOf }),
    endsWithVial: isUsable && old.endsWithVial === true,
  };
  return { plan, answer, old };
}

/**
 * Starts an ended or paused schedule again: creates a new schedule with the same settings and length, and its ramp from the
 * start. The old one keeps its doses. A used-up vial is left out.
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
 * The schedule that {@link beginAgain} would create. Writes nothing.
 * @throws AppError as {@link beginAgain}, except PLAN_LIMIT and CONFIRM_DOSE
 */
export async function planToBeginAgain(ctx: Ctx, id: string, input: BeginAgainInput = {}, email?: string) {
  return (await planAgain(ctx, id, input, email)).plan;
}

/**
 * The same as its owner would see it, under the id of the schedule that it repeats. Writes nothing.
 * @param email the owner, when called from the terminal
 * @throws AppError as {@link planToBeginAgain}
 */
export async function previewAgain(
  ctx: Ctx,
  id: string,
  input: BeginAgainInput = {},
  email?: string,
): Promise<ScheduleView> {
  const { plan, old } = await planAgain(ctx, id, input, email);
  const now = ctx.now();
  const fields = parseInput(scheduleSchema, plan);
  return scheduleView(
    {
      ...old,
      ...toScheduleFacts(fields, { timeZone: old.timeZone, lead: old.reminderLeadMinutes, now }),
      ...{ pauses: null, swaps: null, moves: null, stopsAt: null, isActive: true },
      ...{ nextDoseDate: null, lastDoseDate: null, createdAt: now, updatedAt: now },
    },
    now,
  );
}
