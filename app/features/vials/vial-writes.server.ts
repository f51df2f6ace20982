import { AppError } from '#app/domain/errors.ts';
import { isSameLabel } from '#app/domain/vials/contents.ts';
import { isFinal, type VialWithLedger } from '#app/domain/vials/vial.ts';
import { PLAN_LIMIT_MESSAGE, FREE_VIAL_LIMIT } from '#app/domain/billing/plans.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { linkLot } from '#app/features/lots/index.server.ts';
import {
  expectRelabel,
  expectVialEnd,
  followRelabel,
  followVialEnd,
} from '#app/features/schedules/index.server.ts';
import { compareAndSet, LOST } from '#app/platform/compare-and-set.server.ts';
import {
  giveBack,
  takeFrom,
  planDraws,
  type DrawPlan,
  type DrawRequest,
  stockWarning,
  type StockWarning,
} from '#app/domain/vials/stock.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';

/** Whose vials, and whether the limit of a free account holds for them. */
export interface VialOwner {
  id: string;
  isPremium: boolean;
}

export const vialNotFound = () => new AppError('NOT_FOUND', 'Vial not found.');

const BUSY = 'This vial is being changed elsewhere. Please try again.';

/** The places that a free account's active vials may take. */
const PLACES = Array.from({ length: FREE_VIAL_LIMIT }, (_, index) => String(index));

/**
 * The place that one more active vial takes. Always the lowest free one: two requests that see the same state try for
 * the same place, and the unique index lets one of them have it.
 * @returns null for an account without a limit
 * @throws AppError PLAN_LIMIT
 */
export async function freePlace(ctx: Ctx, owner: VialOwner): Promise<string | null> {
  if (owner.isPremium) return null;
  const taken = await ctx.repos.compounds.listSlots(owner.id, FREE_VIAL_LIMIT);
  const free = PLACES.find((place) => !taken.includes(place));
  if (taken.length >= FREE_VIAL_LIMIT || free === undefined)
    throw new AppError('PLAN_LIMIT', PLAN_LIMIT_MESSAGE);
  return free;
}

/**
 * Stores a new vial within the limit of its owner's plan.
 * @returns the vial with this id, which an earlier submission of the same form may have created
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, PLAN_LIMIT
 */
export async function insertVial(ctx: Ctx, owner: VialOwner, vial: VialWithLedger): Promise<VialWithLedger> {
  authorise(ctx.actor, 'vial.change', { ownerId: owner.id });
  const linked = await withLot(ctx, owner.id, vial);
  const existing = () => ctx.repos.compounds.find(owner.id, vial.id);
  return compareAndSet(async () => {
    let place: string | null;
    try {
      place = isFinal(vial) ? null : await freePlace(ctx, owner);
    } catch (error) {
      const there = await existing();
      if (there !== null) return there;
      throw error;
    }
    const written = await ctx.repos.compounds.create(linked, place);
    if (written === 'written') return linked;
    return written === 'there' ? ((await existing()) ?? linked) : LOST;
  }, BUSY);
}

/** The vial with the lot that it names; as it is when nothing about that is new. */
async function withLot(
  ctx: Ctx,
  ownerId: string,
  vial: VialWithLedger,
  before?: VialWithLedger,
): Promise<VialWithLedger> {
  if (vial.lot === null) return vial.lotId == null ? vial : { ...vial, lotId: null };
  const isNew =
    before !== undefined &&
    (vial.lot !== before.lot || vial.name !== before.name || vial.supplierId !== before.supplierId);
  if (vial.lotId != null && !isNew) return vial;
  return { ...vial, lotId: await linkLot(ctx, ownerId, vial) };
}

/** What a change is given beside the vial. */
interface ChangeOptions {
  /**
   * The limit that a vial which becomes active again has to fit in. Without it there is none: an undone dose is always
   * written.
   */
  owner?: VialOwner;
}

/**
 * Changes a vial by a pure function of what it is now, however many others change it at the same time. Schedules that end with
 * it stop when it is used up, and go on when it has something in it again; those that draw from it follow its label.
 * @param change gives the same vial back when there is nothing to do; may throw an `AppError`
 * @returns the vial as it is now, null when there is none
 * @throws AppError PLAN_LIMIT, CONFLICT
 */
export async function changeVialOf(
  ctx: Ctx,
  ownerId: string,
  id: string,
  change: (vial: VialWithLedger) => VialWithLedger,
  { owner }: ChangeOptions = {},
): Promise<VialWithLedger | null> {
  const { vial, isEnd, isRelabelled } = await compareAndSet(async () => {
    const before = await ctx.repos.compounds.findVersion(ownerId, id);
    if (before === null) return { vial: null, isEnd: false, isRelabelled: false };
    const changed = change(before.vial);
    if (changed === before.vial) return { vial: changed, isEnd: false, isRelabelled: false };
    const after = await withLot(ctx, ownerId, changed, before.vial);
    const returns = isFinal(before.vial) && !isFinal(after);
    const place = returns ? ((owner && (await freePlace(ctx, owner))) ?? id) : before.slot;
    const crosses = isFinal(before.vial) !== isFinal(after);
    const relabels = !isSameLabel(before.vial.components, after.components);
    if (crosses) await expectVialEnd(ctx, ownerId, id);
    if (relabels) await expectRelabel(ctx, ownerId, id);
    const isWritten = (await ctx.repos.compounds.replace(before, after, place)) === 'written';
    return isWritten ? { vial: after, isEnd: crosses, isRelabelled: relabels } : LOST;
  }, BUSY);
  if (isEnd) await followVialEnd(ctx, ownerId, id);
  if (isRelabelled) await followRelabel(ctx, ownerId, id);
  return vial;
}

/** The zone in which an owner's days are counted, whoever asks. */
async function ownersZone(ctx: Ctx, ownerId: string): Promise<string> {
  if (ctx.actor.kind === 'user' && ctx.actor.id === ownerId) return ctx.timeZone;
  const owner = await ctx.repos.users.find(ownerId);
  return owner?.timeZone ?? ctx.timeZone;
}

/** The calendar day of an owner now, in their own zone whoever asks. */
export async function ownersDay(ctx: Ctx, ownerId: string): Promise<string> {
  return calendarDay(ctx.now(), await ownersZone(ctx, ownerId));
}

/**
 * From which vials a dose would come. Reads, and writes nothing.
 * @throws AppError NOT_FOUND when the vial that the user named is missing or foreign; INVALID_INPUT (`compoundId`) when
 * it is used up or discarded. A schedule's vial that is gone is passed over.
 */
export async function planStockDraws(
  ctx: Ctx,
  ownerId: string,
  request: Omit<DrawRequest, 'day'>,
): Promise<DrawPlan> {
  authorise(ctx.actor, 'stock.draw', { ownerId });
  const { name, components, compoundId, preferredCompoundId } = request;
  const ids = [compoundId, preferredCompoundId].filter(
    (id) => typeof id === 'string' && id !== '',
  ) as string[];
  const namesakes = components ? [] : await ctx.repos.compounds.forDose(ownerId, name, ids);
  const isBlend = components !== null && components !== undefined;
  const vials =
    isBlend || namesakes.some((vial) => vial.components !== undefined)
      ? await ctx.repos.compounds.forDose(ownerId, null, ids)
      : namesakes;
  const named = vials.find(({ id }) => id === compoundId);
  if (compoundId && named === undefined) throw vialNotFound();
  if (named !== undefined && isFinal(named)) {
    const message = `This vial is ${named.status}. Choose another one.`;
    throw new AppError('INVALID_INPUT', message, { fields: { compoundId: [message] } });
  }
  return planDraws(vials, { ...request, day: await ownersDay(ctx, ownerId) });
}

/** Draws of one dose, written or taken back under one key. */
interface StockMove {
  /** Names the taking of the dose: the same key is written once. */
  key: string;
  draws: readonly { compoundId: string; mg: string; component?: number | undefined }[];
  at: Date;
}

/** The id of the ledger entry of a dose in one of its vials. @param key names the taking of the dose */
export const drawEntryId = (key: string, compoundId: string): string => `${key}:${compoundId}`;

/**
 * Writes the draws of a dose into the ledgers of its vials, each once however often this is called. Never refuses for
 * lack of stock; a vial that was deleted meanwhile is passed over.
 * @returns a warning for each vial that is over-drawn now
 */
export async function applyStockDraws(
  ctx: Ctx,
  ownerId: string,
  { key, draws, at }: StockMove,
): Promise<{ warnings: StockWarning[] }> {
  authorise(ctx.actor, 'stock.draw', { ownerId });
  const warnings: StockWarning[] = [];
  for (const { compoundId, mg, component } of draws) {
    const entry = { id: drawEntryId(key, compoundId), mg, component, at };
    const vial = await changeVialOf(ctx, ownerId, compoundId, (found) => takeFrom(found, entry));
    if (vial?.remaining.startsWith('-')) warnings.push(stockWarning('OVER_DRAWN', vial));
  }
  return { warnings };
}

/**
 * Writes the reverse of a dose's draws, each once. A draw that was not written yet is not written any more.
 */
export async function returnStockDraws(
  ctx: Ctx,
  ownerId: string,
  { key, draws, at }: StockMove,
): Promise<void> {
  authorise(ctx.actor, 'stock.draw', { ownerId });
  for (const { compoundId } of draws) {
    const entry = { id: drawEntryId(key, compoundId), at, reason: 'Dose undone' };
    await changeVialOf(ctx, ownerId, compoundId, (found) => giveBack(found, entry));
  }
}
