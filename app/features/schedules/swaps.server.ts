import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { firstOccurrences } from '#app/domain/schedules/occurrences.ts';
import { isDoseTooLarge, SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { SWAP_MESSAGES, swapSchema, type SwapInput } from '#app/domain/schedules/swap-schema.ts';
import { isSamePart, MAX_SWAPS, partOn, withSwap, type ScheduleSwap } from '#app/domain/schedules/swaps.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { doseInUnit, mcgQuestions } from '#app/domain/units/quantity.ts';
import { findComponent } from '#app/domain/calculator/components.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import { vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import {
  askAboutPlan,
  getOwnedSchedule,
  isAnswered,
  requireUsableVial,
  reviseSchedule,
  scheduleView,
  type ScheduleView,
} from './schedules.server.ts';
import { blendOfPlan } from './schedule-vials.server.ts';

/** A dose before and after a swap. Amounts are decimal text in the schedule's unit. */
interface SwappedDose {
  dueDate: Date;
  before: SwappedPart;
  after: SwappedPart;
}

/** What a dose is of, and how much; `blend` is absent for a single peptide. */
interface SwappedPart {
  name: string;
  compoundId: string | null;
  doseAmount: string;
  blend?: Blend;
}

/** What a swap would do. */
export interface SwapPreview {
  schedule: ScheduleView;
  swap: ScheduleSwap;
  /** The first doses that it changes; none for a plan whose doses follow from when they are taken. */
  doses: SwappedDose[];
}

/** Most doses that a preview lists. */
const PREVIEWED = 7;

/**
 * What another compound, vial or dose from a day on would change. Writes nothing.
 * @param email the owner, when called from the terminal
 * @throws AppError as {@link swapSchedule}, but for CONFIRM_DOSE and CONFLICT
 */
export async function previewSwap(
  ctx: Ctx,
  id: string,
  input: SwapInput,
  email?: string,
): Promise<SwapPreview> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const { before, swap } = await planSwap(ctx, owner.id, id, input);
  const after = { ...before, swaps: withSwap(before.swaps, swap) };
  const start = instantsOfDays(swap.fromDay, swap.fromDay, before.timeZone).from ?? ctx.now();
  const from = start > ctx.now() ? start : ctx.now();
  const old = firstOccurrences(before, from, PREVIEWED);
  const partAt = (schedule: ScheduleRecord, day: string, doseAmount: string) => {
    const { name, compoundId, blend } = partOn(schedule, day);
    return { name, compoundId, doseAmount, ...(blend && { blend }) };
  };
  const doses = firstOccurrences(after, from, PREVIEWED).map(({ dueDate, localDay, doseAmount }, index) => ({
    dueDate,
    before: partAt(before, localDay, old[index]?.doseAmount ?? doseAmount),
    after: partAt(after, localDay, doseAmount),
  }));
  return { schedule: scheduleView(before, ctx.now()), swap, doses };
}

/**
 * Gives a schedule another compound, vial or dose from a day on. Doses before that day, and those already logged, keep what
 * they were; pending ones from then on are made anew. Another swap of the same day is replaced.
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT; CONFIRM_DOSE for an unusual amount, unless it is
 *   confirmed
 */
export async function swapSchedule(
  ctx: Ctx,
  id: string,
  input: SwapInput,
  email?: string,
): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const { before, swap, vial, answer } = await planSwap(ctx, owner.id, id, input);
  const swaps = withSwap(before.swaps, swap);
  const [old, plan] = [partOn(before, swap.fromDay), partOn({ ...before, swaps }, swap.fromDay)];
  const isOther = vialNameKey(old.name) !== vialNameKey(plan.name);
  if (!isAnswered(answer, plan))
    await askAboutPlan(ctx, owner, { facts: plan, before: isOther ? null : old, vial });
  return reviseSchedule(ctx, before, { swaps });
}

/**
 * Takes a swap back: pending doses from now on are again what the plan says without it. Logged ones stay.
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, CONFLICT
 */
export async function undoSwap(ctx: Ctx, id: string, swapId: string, email?: string): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const before = await getOwnedSchedule(ctx, owner.id, id);
  const swaps = (before.swaps ?? []).filter((swap) => swap.id !== swapId);
  if (swaps.length === (before.swaps ?? []).length) throw new AppError('NOT_FOUND', SWAP_MESSAGES.notFound);
  return reviseSchedule(ctx, before, { swaps });
}

const invalid = (field: string, message: string, ...more: string[]) =>
  new AppError('INVALID_INPUT', message, { fields: { [field]: [message, ...more] } });

/** The swap that is asked for. @throws AppError NOT_FOUND, INVALID_INPUT */
async function planSwap(ctx: Ctx, ownerId: string, id: string, input: SwapInput) {
  const before = await getOwnedSchedule(ctx, ownerId, id);
  const { doseAmount: typed } = input;
  const inUnit = typeof typed === 'string' ? doseInUnit(typed, before.doseUnit) : typed;
  const { name, compoundId, doseAmount, fromDay, ...answer } = parseInput(swapSchema, {
    ...input,
    doseAmount: inUnit,
  });
  if (fromDay < calendarDay(ctx.now(), before.timeZone)) throw invalid('fromDay', SWAP_MESSAGES.past);
  if (doseAmount !== undefined && isDoseTooLarge(doseAmount, before.doseUnit))
    throw invalid('doseAmount', SCHEDULE_MESSAGES.doseTooLarge, ...mcgQuestions(doseAmount, before.doseUnit));
  const old = partOn(before, fromDay);
  const vial = compoundId === undefined ? null : await requireUsableVial(ctx, ownerId, compoundId);
  const newName = name ?? vial?.name ?? old.name;
  if (vial !== null && vialNameKey(vial.name) !== vialNameKey(newName))
    throw invalid('compoundId', SWAP_MESSAGES.otherName(vial.name));
  const keptVial = vial?.id ?? vialOf(old, newName, input.compoundId === undefined);
  const swap: ScheduleSwap = {
    id: newId(ctx.now()),
    fromDay,
    name: newName,
    compoundId: keptVial,
    blend: await blendAfter(ctx, ownerId, old, { name: newName, compoundId: keptVial, vial }),
    // A dose that an earlier swap gave goes on as well.
    doseAmount: doseAmount ?? (old === before ? null : ownDose(before, old)),
    madeAt: ctx.now(),
  };
  const swaps = withSwap(before.swaps, swap);
  if (isSamePart(old, partOn({ ...before, swaps }, fromDay))) throw invalid('name', SWAP_MESSAGES.nothing);
  if (swaps.length > MAX_SWAPS) throw invalid('fromDay', SWAP_MESSAGES.tooMany);
  return { before, swap, vial: vial as Vial | null, answer };
}

/** The vial of a part that named none: the one it has, while it is of the same compound. */
function vialOf(old: ScheduleRecord, newName: string, isKept: boolean): string | null {
  return isKept && vialNameKey(newName) === vialNameKey(old.name) ? old.compoundId : null;
}

/**
 * What is drawn from after a swap, when that is a blend: as before while vial and compound stay; else what the new ones hold,
 * with the dose of the same component if it is in there.
 */
async function blendAfter(
  ctx: Ctx,
  ownerId: string,
  old: ScheduleRecord,
  { name, compoundId, vial }: { name: string; compoundId: string | null; vial: Vial | null },
): Promise<Blend | null> {
  if (compoundId === old.compoundId && vialNameKey(name) === vialNameKey(old.name)) return old.blend ?? null;
  const blend = await blendOfPlan(ctx, ownerId, { name }, vial);
  if (blend === null || !old.blend) return blend;
  const at = findComponent(blend.components, old.blend.doseOf);
  return { ...blend, doseOf: blend.components[at]?.name ?? blend.doseOf };
}

/** The dose that a part has in place of the plan's. */
const ownDose = (before: ScheduleRecord, part: ScheduleRecord): string | null =>
  part.doseAmount === before.doseAmount && part.ramp === before.ramp ? null : part.doseAmount;
