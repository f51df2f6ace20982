import { fieldError } from '#app/domain/errors.ts';
import {
  CEILING_MESSAGES,
  ceilingSchema,
  changedCeiling,
  MAX_CEILINGS,
  type CeilingInput,
} from '#app/domain/doses/ceiling-schema.ts';
import {
  amountsOf,
  amountWarnings,
  planKey,
  rampWarnings,
  takenNearby,
  USUAL_DOSES,
  type Amount,
  type AmountSetting,
  type AmountWarning,
  type Ceiling,
  type PlannedAmounts,
  type TakenNearby,
  type UsualAmounts,
} from '#app/domain/doses/dose-warnings.ts';
import { Decimal, type Ratio } from '#app/domain/decimal/decimal.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { doseOnDay, firstOccurrences, nextOccurrence } from '#app/domain/schedules/occurrences.ts';
import { substanceUnitOf, type DoseUnit, type SyringeChoice } from '#app/domain/calculator/calculation.ts';
import type { Container } from '#app/domain/calculator/nearest-mark.ts';
import type { ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { toBaseUnit } from '#app/domain/units/quantity.ts';
import { amountUnder, isSameBlend, type Blend } from '#app/domain/vials/contents.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { partOn } from '#app/domain/schedules/plan-changes.ts';
import type { NamedCeiling, ScheduleRecord } from '#models/index.server.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { findOwner } from '#app/platform/access/owner.server.ts';
import { repos } from './repositories.server.ts';

/** The owner's ceilings by name. @param email the owner, when called from the terminal @throws AppError UNAUTHENTICATED, NOT_FOUND */
export async function listCeilings(ctx: Ctx, email?: string): Promise<NamedCeiling[]> {
  const ownerId = await ceilingOwner(ctx, 'ceiling.read', email);
  return repos(ctx).doseCeilings.list(ownerId, MAX_CEILINGS);
}

/** The signed-in user's ceiling for a compound; null if none is set. @throws AppError UNAUTHENTICATED */
export async function findCeiling(ctx: Ctx, name: string): Promise<NamedCeiling | null> {
  const { id } = authoriseUser(ctx.actor, 'ceiling.read');
  return repos(ctx).doseCeilings.find(id, vialNameKey(name));
}

/**
 * Sets the most the owner wants to take of a compound: per dose, per day and per 7 days. Absent fields stay unchanged;
 * null or '' removes a limit.
 * @returns the ceiling, or null when no limit is left
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND (no such account)
 */
export async function setCeiling(
  ctx: Ctx,
  input: CeilingInput,
  email?: string,
): Promise<NamedCeiling | null> {
  const ownerId = await ceilingOwner(ctx, 'ceiling.change', email);
  const { name, ...fields } = parseInput(ceilingSchema, input);
  const { doseCeilings } = repos(ctx);
  const nameKey = vialNameKey(name);
  const before = await doseCeilings.find(ownerId, nameKey);
  const ceiling = changedCeiling(before, fields);
  if (ceiling === null) {
    await doseCeilings.clear(ownerId, nameKey);
    return null;
  }
  if (before === null && (await doseCeilings.count(ownerId)) >= MAX_CEILINGS)
    throw fieldError('name', CEILING_MESSAGES.tooMany);
  const named = { name: before?.name ?? name, ...ceiling };
  await doseCeilings.set(ownerId, nameKey, named);
  return named;
}

async function ceilingOwner(ctx: Ctx, action: 'ceiling.read' | 'ceiling.change', email?: string) {
  if (ctx.actor.kind !== 'cli') return authoriseUser(ctx.actor, action).id;
  const { id } = await findOwner(ctx, email);
  authorise(ctx.actor, action, { ownerId: id });
  return id;
}

/** The person who takes the amount. */
interface AmountOwner {
  id: string;
  /** IANA name: daily ceilings use the owner's days. */
  timeZone: string;
  /** The syringe they draw with. */
  syringe: SyringeChoice;
}

/** An amount that is about to be logged. */
export interface AmountRequest {
  name: string;
  amount: Amount;
  /** The blend it is drawn from, if any; the amount is that of one component. */
  blend: Blend | null;
  /** The planned amount; null for a dose without a schedule. */
  planned: Amount | null;
  takenAt: Date;
  /** Id of the dose itself, which is left out of the totals. */
  exceptId: string;
  /** mg or IU left in the vials it would be drawn from, the concentration of the first, and what it is. */
  leftMg: string | null;
  strength: Ratio<'mg/ml'> | null;
  container?: Container | undefined;
}

const NOTHING_TAKEN: TakenNearby = { sameDayMg: '0', weekMg: '0' };

/**
 * The questions about the amount of a dose that is about to be logged. Writes nothing.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function findAmountWarnings(
  ctx: Ctx,
  owner: AmountOwner,
  request: AmountRequest,
): Promise<AmountWarning[]> {
  authorise(ctx.actor, 'ceiling.read', { ownerId: owner.id });
  const { name, amount, blend, planned, takenAt, exceptId, leftMg, strength, container } = request;
  const usual =
    planned === null
      ? await usualAmounts(ctx, owner.id, { name, at: takenAt, exceptId })
      : { kind: 'plan' as const, amounts: [planned] };
  const ceiling = await repos(ctx).doseCeilings.find(owner.id, vialNameKey(name));
  const taken = await takenAround(ctx, owner, { ceiling, name, takenAt, exceptId, unit: amount.unit });
  const { syringe } = owner;
  const found = amountWarnings(amount, { usual, ceiling, taken, leftMg, strength, syringe, container });
  for (const part of partAmounts(name, amount, blend))
    found.push(...(await componentWarnings(ctx, owner, part, { takenAt, exceptId })));
  return found;
}

/** The amount of each component in a dose of a blend, except the one with the dose's own name. */
function partAmounts(name: string, amount: Amount, blend: Blend | null): { name: string; amount: Amount }[] {
  if (blend === null) return [];
  const dose = { name, doseAmount: amount.text, doseUnit: amount.unit, blend };
  return blend.components
    .filter((component) => vialNameKey(component.name) !== vialNameKey(name))
    .map((component) => ({
      name: component.name,
      amount: { text: amountUnder(dose, vialNameKey(component.name)), unit: amount.unit },
    }));
}

/** The questions about one component of a blend: whether it exceeds its own ceiling, together with other doses of it. */
async function componentWarnings(
  ctx: Ctx,
  owner: AmountOwner,
  { name, amount }: { name: string; amount: Amount },
  { takenAt, exceptId }: Pick<AmountRequest, 'takenAt' | 'exceptId'>,
): Promise<AmountWarning[]> {
  const ceiling = await repos(ctx).doseCeilings.find(owner.id, vialNameKey(name));
  const taken = await takenAround(ctx, owner, { ceiling, name, takenAt, exceptId, unit: amount.unit });
  return ceilingWarnings(name, amount, { ceiling, taken, syringe: owner.syringe });
}

/** Ceiling warnings about one component; each message starts with its name. */
function ceilingWarnings(
  name: string,
  amount: Amount,
  { ceiling, taken, syringe }: Pick<AmountSetting, 'ceiling' | 'taken' | 'syringe'>,
): AmountWarning[] {
  const setting = { usual: null, ceiling, taken, leftMg: null, strength: null, syringe };
  return amountWarnings(amount, setting).map(({ code, message }) => ({
    code,
    message: `${name}: ${message}`,
  }));
}

/** A new or changed plan to check: its amounts, the previous ones and the vial it draws from. */
export interface PlanRequest {
  name: string;
  plan: PlannedAmounts & ScheduleRule;
  /** The current schedule; null for a new one. */
  before: (PlannedAmounts & { id: string; name: string; blend?: Blend | null }) | null;
  leftMg: string | null;
  strength: Ratio<'mg/ml'> | null;
  container?: Container | undefined;
  /** The blend it draws from, if any. */
  blend: Blend | null;
}

/**
 * The questions about the amounts of a schedule that is about to be created or changed. Compares them with its previous
 * amounts, otherwise with other schedules of the compound, otherwise with the last doses. Writes nothing.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function findPlanWarnings(
  ctx: Ctx,
  owner: AmountOwner,
  { name, plan, before, leftMg, strength, container, blend }: PlanRequest,
): Promise<AmountWarning[]> {
  authorise(ctx.actor, 'ceiling.read', { ownerId: owner.id });
  const isUnchanged = before !== null && isSameBlend(before.blend, blend);
  if (before !== null && isUnchanged && planKey(before.name, before) === planKey(name, plan)) return [];
  const known = before === null || !isUnchanged ? [] : amountsOf(before);
  const isSame = (one: Amount, other: Amount) =>
    substanceUnitOf(one.unit) === substanceUnitOf(other.unit) &&
    toBaseUnit(one.text, one.unit).eq(toBaseUnit(other.text, other.unit));
  const fresh = amountsOf(plan).filter((amount) => !known.some((one) => isSame(one, amount)));
  const usual =
    before === null || !isUnchanged
      ? await usualAmounts(ctx, owner.id, { name, at: ctx.now(), exceptId: '' })
      : { kind: 'plan' as const, amounts: known };
  const ceiling = await repos(ctx).doseCeilings.find(owner.id, vialNameKey(name));
  const most = mostDoses(plan);
  const ceilings = new Map<string, Ceiling | null>();
  for (const component of blend?.components ?? [])
    ceilings.set(component.name, await repos(ctx).doseCeilings.find(owner.id, vialNameKey(component.name)));
  const found = fresh.flatMap((amount, index) => {
    const mg = toBaseUnit(amount.text, amount.unit);
    const taken = {
      sameDayMg: mg.times(most.inDay - 1).toFixed(),
      weekMg: mg.times(most.in7Days - 1).toFixed(),
    };
    // `rampWarnings` checks a new ramp's total change; its last dose is not expected to resemble earlier doses.
    const isLast = before === null && plan.ramp !== null && index > 0;
    const { syringe } = owner;
    const setting = { usual: isLast ? null : usual, ceiling, taken, leftMg, strength, syringe, container };
    const parts = partAmounts(name, amount, blend).flatMap((part) => {
      const own = toBaseUnit(part.amount.text, part.amount.unit);
      const near = {
        sameDayMg: own.times(most.inDay - 1).toFixed(),
        weekMg: own.times(most.in7Days - 1).toFixed(),
      };
      const setOf = { ceiling: ceilings.get(part.name) ?? null, taken: near, syringe };
      return ceilingWarnings(part.name, part.amount, setOf);
    });
    return [...amountWarnings(amount, setting), ...parts];
  });
  return [...found, ...rampWarnings(plan)];
}

/** Checks the amounts of a file row by row. */
export interface AmountReader {
  next(row: { name: string; amount: Amount; takenAt: Date; blend: Blend | null }): Promise<AmountWarning[]>;
}

/** Maximum rows of a file kept for daily and weekly ceilings; more than this do not fall into 15 days. */
const MOST_ROWS_BESIDE = 500;

/** What is known of one compound while a file is read. */
interface CompoundRows {
  usual: UsualAmounts;
  ceiling: Ceiling | null;
  rows: { text: string; unit: DoseUnit; day: string }[];
}

/**
 * Checks the doses of a file, which are history: each row is compared with the rows before it, the first ones with doses
 * logged earlier. Writes nothing.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export function readAmounts(ctx: Ctx, owner: AmountOwner): AmountReader {
  authorise(ctx.actor, 'ceiling.read', { ownerId: owner.id });
  const compounds = new Map<string, CompoundRows>();
  const compoundOf = async (name: string, at: Date): Promise<CompoundRows> => {
    const nameKey = vialNameKey(name);
    const known = compounds.get(nameKey);
    if (known !== undefined) return known;
    const last = await repos(ctx).doses.lastAmounts(owner.id, nameKey, at, '', USUAL_DOSES);
    const earlier = last.map(({ amount, unit }) => ({ text: amount, unit }));
    const usual: UsualAmounts =
      earlier.length > 0
        ? { kind: 'earlier', amounts: earlier }
        : await usualAmounts(ctx, owner.id, { name, at, exceptId: '' });
    const ceiling = await repos(ctx).doseCeilings.find(owner.id, nameKey);
    const fresh = { usual, ceiling, rows: [] };
    compounds.set(nameKey, fresh);
    return fresh;
  };
  /** Returns what to compare an amount with, then counts the amount for later rows. */
  const compare = async (name: string, amount: Amount, takenAt: Date) => {
    const compound = await compoundOf(name, takenAt);
    const { usual, ceiling } = compound;
    const stored = await takenAround(ctx, owner, {
      ...{ ceiling, name, takenAt, exceptId: '', unit: amount.unit },
    });
    const day = calendarDay(takenAt, owner.timeZone);
    const beside = takenNearby(day, amount.unit, compound.rows);
    const sum = (a: string, b: string) => new Decimal(a).plus(b).toFixed();
    const taken = {
      sameDayMg: sum(stored.sameDayMg, beside.sameDayMg),
      weekMg: sum(stored.weekMg, beside.weekMg),
    };
    const before = usual.kind === 'earlier' ? usual.amounts : [];
    compound.usual = { kind: 'earlier', amounts: [amount, ...before].slice(0, USUAL_DOSES) };
    if (ceiling !== null) compound.rows = [...compound.rows, { ...amount, day }].slice(-MOST_ROWS_BESIDE);
    return { usual, ceiling, taken, leftMg: null, strength: null, syringe: owner.syringe };
  };
  return {
    async next({ name, amount, takenAt, blend }) {
      const found = amountWarnings(amount, await compare(name, amount, takenAt));
      for (const part of partAmounts(name, amount, blend))
        found.push(
          ...ceilingWarnings(part.name, part.amount, await compare(part.name, part.amount, takenAt)),
        );
      return found;
    },
  };
}

/** An upper bound of a plan's doses in seven days. */
function mostInWeek({ frequency, times }: ScheduleRule): number {
  return frequency.kind === 'after-last' ? Math.ceil((7 * 24) / frequency.everyHours) : 7 * times.length;
}

/** The most doses of a plan in one day and in seven days; one a day if an as-needed plan sets no maximum. */
function mostDoses(plan: ScheduleRule): { inDay: number; in7Days: number } {
  if (plan.frequency.kind === 'as-needed') {
    const { maxPerDay = 1 } = plan.frequency;
    return { inDay: maxPerDay, in7Days: 7 * maxPerDay };
  }
  const start = instantsOfDays(plan.startDate, plan.startDate, plan.timeZone).from ?? new Date(0);
  const from = new Date(start.getTime() - DAY_MS);
  const occurring = firstOccurrences(plan, from, mostInWeek(plan)).map(({ localDay }) => localDay);
  const [first] = occurring;
  if (first === undefined) return { inDay: 1, in7Days: 1 };
  const counted = occurring.map((day) => ({ text: '1', unit: 'mg' as const, day }));
  const { sameDayMg, weekMg } = takenNearby(first, 'mg', counted);
  return { inDay: Number(sameDayMg), in7Days: Number(weekMg) };
}

/**
 * The usual amounts of a compound for a dose without a schedule: those of active schedules with its name around that time,
 * otherwise the last three doses.
 */
export async function usualAmounts(
  ctx: Ctx,
  ownerId: string,
  { name, at, exceptId }: { name: string; at: Date; exceptId: string },
): Promise<UsualAmounts> {
  authorise(ctx.actor, 'ceiling.read', { ownerId });
  const nameKey = vialNameKey(name);
  const schedules = await repos(ctx).schedules.listActive(ownerId);
  const planned = schedules.flatMap((schedule) => plannedAround(schedule, at, nameKey));
  if (planned.length > 0) return { kind: 'plan', amounts: planned };
  const last = await repos(ctx).doses.lastAmounts(ownerId, nameKey, at, exceptId, USUAL_DOSES);
  return { kind: 'earlier', amounts: last.map(({ amount, unit }) => ({ text: amount, unit })) };
}

/** A schedule's dose in the week before `at`, and its next one: on the day of a ramp's step, both are usual. */
function plannedAround(schedule: ScheduleRecord, at: Date, nameKey: string): Amount[] {
  const isOfName = ({ name }: { name: string }) => vialNameKey(name) === nameKey;
  if (![schedule, ...(schedule.swaps ?? [])].some(isOfName)) return [];
  const today = calendarDay(at, schedule.timeZone);
  if (schedule.frequency.kind === 'as-needed') {
    const text = doseOnDay(schedule, today);
    return isOfName(partOn(schedule, today)) ? [{ text, unit: schedule.doseUnit }] : [];
  }
  const recent = firstOccurrences(schedule, new Date(at.getTime() - 7 * DAY_MS), 1);
  const next = nextOccurrence(schedule, at);
  const texts = [...recent, ...(next === null ? [] : [next])]
    .filter(({ localDay }) => isOfName(partOn(schedule, localDay)))
    .map(({ doseAmount }) => doseAmount);
  return [...new Set(texts)].map((text) => ({ text, unit: schedule.doseUnit }));
}

/** Other doses taken on that day and around it. Reads nothing if no ceiling needs it. */
async function takenAround(
  ctx: Ctx,
  owner: AmountOwner,
  {
    ceiling,
    name,
    takenAt,
    exceptId,
    unit,
  }: { ceiling: Ceiling | null; name: string; takenAt: Date; exceptId: string; unit: DoseUnit },
): Promise<TakenNearby> {
  if (ceiling === null || (ceiling.perDay === null && ceiling.per7Days === null)) return NOTHING_TAKEN;
  const span = {
    from: new Date(takenAt.getTime() - 8 * DAY_MS),
    before: new Date(takenAt.getTime() + 8 * DAY_MS),
  };
  const others = await repos(ctx).doses.amountsBetween(owner.id, vialNameKey(name), span, exceptId);
  const taken = others.map(({ takenAt: at, amount, unit: itsUnit }) => ({
    text: new Decimal(amount).toFixed(),
    unit: itsUnit,
    day: calendarDay(at, owner.timeZone),
  }));
  return takenNearby(calendarDay(takenAt, owner.timeZone), unit, taken);
}
