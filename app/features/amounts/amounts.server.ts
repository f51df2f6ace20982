import { AppError } from '#app/domain/errors.ts';
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
import type { SyringeId } from '#app/domain/calculator/calculation.ts';
import type { ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import { amountUnder, isSameBlend, type Blend } from '#app/domain/vials/contents.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { partOn } from '#app/domain/schedules/plan-changes.ts';
import type { NamedCeiling, ScheduleRecord } from '#models/index.server.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { findOwner } from '#app/platform/access/owner.server.ts';

/** The owner's ceilings by name. @param email the owner, at the terminal @throws AppError UNAUTHENTICATED, NOT_FOUND */
export async function listCeilings(ctx: Ctx, email?: string): Promise<NamedCeiling[]> {
  const ownerId = await ceilingOwner(ctx, 'ceiling.read', email);
  return ctx.repos.doseCeilings.list(ownerId, MAX_CEILINGS);
}

/** The ceiling of one compound of the signed-in user; null when they set none. @throws AppError UNAUTHENTICATED */
export async function findCeiling(ctx: Ctx, name: string): Promise<NamedCeiling | null> {
  const { id } = authoriseUser(ctx.actor, 'ceiling.read');
  return ctx.repos.doseCeilings.find(id, vialNameKey(name));
}

/**
 * Sets the most that the owner wants to take of a compound: for each dose, a day, and 7 days. What is not given stays;
 * null or '' takes a ceiling away.
 * @returns the ceiling, or null when none is left
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND (no such account)
 */
export async function setCeiling(
  ctx: Ctx,
  input: CeilingInput,
  email?: string,
): Promise<NamedCeiling | null> {
  const ownerId = await ceilingOwner(ctx, 'ceiling.change', email);
  const { name, ...fields } = parseInput(ceilingSchema, input);
  const { doseCeilings } = ctx.repos;
  const nameKey = vialNameKey(name);
  const before = await doseCeilings.find(ownerId, nameKey);
  const ceiling = changedCeiling(before, fields);
  if (ceiling === null) {
    await doseCeilings.clear(ownerId, nameKey);
    return null;
  }
  if (before === null && (await doseCeilings.count(ownerId)) >= MAX_CEILINGS)
    throw new AppError('INVALID_INPUT', CEILING_MESSAGES.tooMany, {
      fields: { name: [CEILING_MESSAGES.tooMany] },
    });
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

/** Whose amount it is. */
interface AmountOwner {
  id: string;
  /** IANA name: days of a ceiling are the owner's. */
  timeZone: string;
  /** What they draw with. */
  syringe: SyringeId;
}

/** An amount that somebody is about to log. */
export interface AmountRequest {
  name: string;
  amount: Amount;
  /** What the draw holds, when it is of a blend: the amount is that of one of its components. */
  blend: Blend | null;
  /** What its schedule says; null for a dose without one. */
  planned: Amount | null;
  takenAt: Date;
  /** The dose itself, which does not count among the others. */
  exceptId: string;
  /** What the vials hold that it would be drawn from, and how strong the first is. */
  leftMg: string | null;
  strength: Ratio<'mg/ml'> | null;
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
  const { name, amount, blend, planned, takenAt, exceptId, leftMg, strength } = request;
  const [usual, ceiling] = await Promise.all([
    planned === null
      ? usualAmounts(ctx, owner.id, { name, at: takenAt, exceptId })
      : { kind: 'plan' as const, amounts: [planned] },
    ctx.repos.doseCeilings.find(owner.id, vialNameKey(name)),
  ]);
  const taken = await takenAround(ctx, owner, { ceiling, name, takenAt, exceptId });
  const own = amountWarnings(amount, { usual, ceiling, taken, leftMg, strength, syringe: owner.syringe });
  const parts = await Promise.all(
    partAmounts(name, amount, blend).map((part) =>
      componentWarnings(ctx, owner, part, { takenAt, exceptId }),
    ),
  );
  return [...own, ...parts.flat()];
}

/** What a dose of a blend gives of each component, but for one that has the dose's own name. */
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

/** The questions about one component of a blend: whether it passes its own ceiling, with what else was taken of it. */
async function componentWarnings(
  ctx: Ctx,
  owner: AmountOwner,
  { name, amount }: { name: string; amount: Amount },
  { takenAt, exceptId }: Pick<AmountRequest, 'takenAt' | 'exceptId'>,
): Promise<AmountWarning[]> {
  const ceiling = await ctx.repos.doseCeilings.find(owner.id, vialNameKey(name));
  const taken = await takenAround(ctx, owner, { ceiling, name, takenAt, exceptId });
  return ceilingWarnings(name, amount, { ceiling, taken, syringe: owner.syringe });
}

/** Whether an amount of one component passes its ceiling; its name stands before what is said. */
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

/** The question about a plan: what is new, what it was before, and which vial it draws from. */
export interface PlanRequest {
  name: string;
  plan: PlannedAmounts & ScheduleRule;
  /** The schedule as it is now; null for a new one. */
  before: (PlannedAmounts & { id: string; name: string; blend?: Blend | null }) | null;
  leftMg: string | null;
  strength: Ratio<'mg/ml'> | null;
  /** What it draws from, when that is a blend. */
  blend: Blend | null;
}

/**
 * The questions about the amounts of a schedule that is about to be made or changed: against what it was, else against
 * other plans of the compound, else against the last doses. Writes nothing.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function findPlanWarnings(
  ctx: Ctx,
  owner: AmountOwner,
  { name, plan, before, leftMg, strength, blend }: PlanRequest,
): Promise<AmountWarning[]> {
  authorise(ctx.actor, 'ceiling.read', { ownerId: owner.id });
  const isKept = before !== null && isSameBlend(before.blend, blend);
  if (before !== null && isKept && planKey(before.name, before) === planKey(name, plan)) return [];
  const known = before === null || !isKept ? [] : amountsOf(before);
  const isSame = (one: Amount, other: Amount) =>
    massInMg(one.text, one.unit).eq(massInMg(other.text, other.unit));
  const fresh = amountsOf(plan).filter((amount) => !known.some((one) => isSame(one, amount)));
  const [usual, ceiling] = await Promise.all([
    before === null || !isKept
      ? usualAmounts(ctx, owner.id, { name, at: ctx.now(), exceptId: '' })
      : { kind: 'plan' as const, amounts: known },
    ctx.repos.doseCeilings.find(owner.id, vialNameKey(name)),
  ]);
  const most = mostDoses(plan);
  const ceilings = new Map(
    await Promise.all(
      (blend?.components ?? []).map(
        async (component) =>
          [component.name, await ctx.repos.doseCeilings.find(owner.id, vialNameKey(component.name))] as const,
      ),
    ),
  );
  const found = fresh.flatMap((amount, index) => {
    const mg = massInMg(amount.text, amount.unit);
    const taken = {
      sameDayMg: mg.times(most.inDay - 1).toFixed(),
      weekMg: mg.times(most.in7Days - 1).toFixed(),
    };
    // The way of a new ramp is a question of its own: its last dose is not meant to be like earlier ones.
    const isLast = before === null && plan.ramp !== null && index > 0;
    const { syringe } = owner;
    const setting = { usual: isLast ? null : usual, ceiling, taken, leftMg, strength, syringe };
    const parts = partAmounts(name, amount, blend).flatMap((part) => {
      const own = massInMg(part.amount.text, part.amount.unit);
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

/** Looks at the amounts of a file in its order. */
export interface AmountReader {
  next(row: { name: string; amount: Amount; takenAt: Date; blend: Blend | null }): Promise<AmountWarning[]>;
}

/** Rows of a file that count towards a day's or a week's ceiling: more do not fall into 15 days. */
const MOST_ROWS_BESIDE = 500;

/** What is known of one compound while a file is read. */
interface CompoundRows {
  usual: UsualAmounts;
  ceiling: Ceiling | null;
  rows: { text: string; unit: 'mg' | 'mcg'; day: string }[];
}

/**
 * Reads the doses of a file, which are history: each is compared with the rows before it, the first ones with what was
 * logged before them. Writes nothing.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export function readAmounts(ctx: Ctx, owner: AmountOwner): AmountReader {
  authorise(ctx.actor, 'ceiling.read', { ownerId: owner.id });
  const compounds = new Map<string, CompoundRows>();
  const compoundOf = async (name: string, at: Date): Promise<CompoundRows> => {
    const nameKey = vialNameKey(name);
    const known = compounds.get(nameKey);
    if (known !== undefined) return known;
    const last = await ctx.repos.doses.lastAmounts(owner.id, nameKey, at, '', USUAL_DOSES);
    const earlier = last.map(({ amount, unit }) => ({ text: amount, unit }));
    const usual: UsualAmounts =
      earlier.length > 0
        ? { kind: 'earlier', amounts: earlier }
        : await usualAmounts(ctx, owner.id, { name, at, exceptId: '' });
    const ceiling = await ctx.repos.doseCeilings.find(owner.id, nameKey);
    const fresh = { usual, ceiling, rows: [] };
    compounds.set(nameKey, fresh);
    return fresh;
  };
  /** Compares an amount with what is known of its compound, and counts it from then on. */
  const compare = async (name: string, amount: Amount, takenAt: Date) => {
    const compound = await compoundOf(name, takenAt);
    const { usual, ceiling } = compound;
    const stored = await takenAround(ctx, owner, { ceiling, name, takenAt, exceptId: '' });
    const day = calendarDay(takenAt, owner.timeZone);
    const beside = takenNearby(day, compound.rows);
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

/** At most so many doses of a plan are due in seven days. */
function mostInWeek({ frequency, times }: ScheduleRule): number {
  return frequency.kind === 'after-last' ? Math.ceil((7 * 24) / frequency.everyHours) : 7 * times.length;
}

/** How many doses of a plan fall into one day and into seven days, at most; one a day where a plan sets no limit. */
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
  const { sameDayMg, weekMg } = takenNearby(first, counted);
  return { inDay: Number(sameDayMg), in7Days: Number(weekMg) };
}

/**
 * What is usual for a compound without a plan of its own: what the active schedules of its name say around the moment,
 * else the last three doses.
 */
export async function usualAmounts(
  ctx: Ctx,
  ownerId: string,
  { name, at, exceptId }: { name: string; at: Date; exceptId: string },
): Promise<UsualAmounts> {
  authorise(ctx.actor, 'ceiling.read', { ownerId });
  const nameKey = vialNameKey(name);
  const schedules = await ctx.repos.schedules.listActive(ownerId);
  const planned = schedules.flatMap((schedule) => plannedAround(schedule, at, nameKey));
  if (planned.length > 0) return { kind: 'plan', amounts: planned };
  const last = await ctx.repos.doses.lastAmounts(ownerId, nameKey, at, exceptId, USUAL_DOSES);
  return { kind: 'earlier', amounts: last.map(({ amount, unit }) => ({ text: amount, unit })) };
}

/** The dose of a schedule in the week before a moment, and its next one: on the day of a ramp's step both are usual. */
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

/** What else was taken on the day and around it; nothing is read where no ceiling needs it. */
async function takenAround(
  ctx: Ctx,
  owner: AmountOwner,
  {
    ceiling,
    name,
    takenAt,
    exceptId,
  }: { ceiling: Ceiling | null; name: string; takenAt: Date; exceptId: string },
): Promise<TakenNearby> {
  if (ceiling === null || (ceiling.perDay === null && ceiling.per7Days === null)) return NOTHING_TAKEN;
  const span = {
    from: new Date(takenAt.getTime() - 8 * DAY_MS),
    before: new Date(takenAt.getTime() + 8 * DAY_MS),
  };
  const others = await ctx.repos.doses.amountsBetween(owner.id, vialNameKey(name), span, exceptId);
  const taken = others.map(({ takenAt: at, amount, unit }) => ({
    text: new Decimal(amount).toFixed(),
    unit,
    day: calendarDay(at, owner.timeZone),
  }));
  return takenNearby(calendarDay(takenAt, owner.timeZone), taken);
}
