import { AppError, fieldError } from '#app/domain/errors.ts';
import { isSameLabel } from '#app/domain/vials/contents.ts';
import { isFinal, type VialWithLedger } from '#app/domain/vials/vial.ts';
import { PLAN_LIMIT_MESSAGE, FREE_VIAL_LIMIT } from '#app/domain/billing/plans.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { recordChange, recordChanges } from '#app/features/webhooks/index.server.ts';
import { vialData } from '#app/domain/webhooks/webhook.ts';
import { linkLot } from '#app/features/lots/index.server.ts';
import { followRelabel, followVialEnd } from '#app/features/schedules/index.server.ts';
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
import { repos } from './repositories.server.ts';

/** The owner of vials, and whether the free plan's limit applies to them. */
export interface VialOwner {
  id: string;
  isPremium: boolean;
}

export const vialNotFound = () => new AppError('NOT_FOUND', 'Vial not found.');

/** The slots for a free account's active vials. */
const SLOTS = Array.from({ length: FREE_VIAL_LIMIT }, (_, index) => String(index));

/**
 * The slot for one more active vial. Always the lowest free one, so that of two simultaneous acts that try for the same slot,
 * the unique index has one run again.
 * @returns null for an account without a limit
 * @throws AppError PLAN_LIMIT
 */
export async function freeSlot(ctx: Ctx, owner: VialOwner): Promise<string | null> {
  if (owner.isPremium) return null;
  const taken = await repos(ctx).vials.listSlots(owner.id, FREE_VIAL_LIMIT);
  const free = SLOTS.find((slot) => !taken.includes(slot));
  if (taken.length >= FREE_VIAL_LIMIT || free === undefined)
    throw new AppError('PLAN_LIMIT', PLAN_LIMIT_MESSAGE);
  return free;
}

/**
 * Stores a new vial if the owner's plan allows it, in one act.
 * @returns the vial with this id, which an earlier submission of the same form may already have created
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, PLAN_LIMIT
 */
export function insertVial(ctx: Ctx, owner: VialOwner, vial: VialWithLedger): Promise<VialWithLedger> {
  authorise(ctx.actor, 'vial.change', { ownerId: owner.id });
  return ctx.transaction(async () => {
    const earlier = await repos(ctx).vials.find(owner.id, vial.id);
    if (earlier !== null) return earlier;
    const slot = isFinal(vial) ? null : await freeSlot(ctx, owner);
    const linked = await repos(ctx).vials.create(await withLot(ctx, owner.id, vial), slot);
    await recordChange(ctx, owner.id, ['vial.created'], vialData(linked));
    return linked;
  });
}

/**
 * Stores the missing ones of some new vials of an owner without a limit, in one act. Their lots are linked already.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export function insertVials(ctx: Ctx, ownerId: string, vials: readonly VialWithLedger[]): Promise<void> {
  authorise(ctx.actor, 'vial.change', { ownerId });
  return ctx.transaction(async () => {
    const found = await repos(ctx).vials.listById(
      ownerId,
      vials.map(({ id }) => id),
    );
    const earlier = new Set(found.map(({ id }) => id));
    const missing = vials.filter(({ id }) => !earlier.has(id));
    if (missing.length === 0) return;
    const made = await repos(ctx).vials.createMany(ownerId, missing);
    await recordChanges(
      ctx,
      ownerId,
      made.map((vial) => ({ type: 'vial.created', data: vialData(vial) })),
    );
  });
}

/** The vial linked to the lot that its number names; unchanged if that link is up to date. */
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

interface ChangeOptions {
  /**
   * Checks this owner's plan limit when the vial becomes active again. Left out for an undone dose, which must always be
   * recorded.
   */
  owner?: VialOwner;
}

/**
 * Changes a vial by a pure function of its current state, in one act. Schedules that end with it stop when it is used up and
 * resume when it has contents again; schedules that draw from it follow changes to its label.
 * @param change returns the same object when there is nothing to do; may throw an `AppError`; runs again if somebody else
 *   changes the vial meanwhile
 * @returns the vial as it is now; null if it does not exist
 * @throws AppError PLAN_LIMIT
 */
export function changeVialOf(
  ctx: Ctx,
  ownerId: string,
  id: string,
  change: (vial: VialWithLedger) => VialWithLedger,
  { owner }: ChangeOptions = {},
): Promise<VialWithLedger | null> {
  return ctx.transaction(async () => {
    const found = await repos(ctx).vials.findWithSlot(ownerId, id);
    if (found === null) return null;
    const { vial: before } = found;
    const changed = change(before);
    if (changed === before) return before;
    const linked = await withLot(ctx, ownerId, changed, before);
    const returns = isFinal(before) && !isFinal(linked);
    const slot = returns ? ((owner && (await freeSlot(ctx, owner))) ?? id) : found.slot;
    const after = await repos(ctx).vials.replace(before, linked, slot);
    if (isFinal(before) !== isFinal(after)) await followVialEnd(ctx, ownerId, id);
    if (!isSameLabel(before.components, after.components)) await followRelabel(ctx, ownerId, id);
    const isFinished = isFinal(after) && !isFinal(before);
    await recordChange(
      ctx,
      ownerId,
      isFinished ? ['vial.updated', 'vial.finished'] : ['vial.updated'],
      vialData(after),
    );
    return after;
  });
}

/** The owner's time zone, even if somebody else asks. */
async function ownersZone(ctx: Ctx, ownerId: string): Promise<string> {
  if (ctx.actor.kind === 'user' && ctx.actor.id === ownerId) return ctx.timeZone;
  const owner = await repos(ctx).users.find(ownerId);
  return owner?.timeZone ?? ctx.timeZone;
}

/** Today in the owner's time zone, even if somebody else asks. */
export async function ownersDay(ctx: Ctx, ownerId: string): Promise<string> {
  return calendarDay(ctx.now(), await ownersZone(ctx, ownerId));
}

/**
 * Works out which vials a dose would be drawn from, without writing anything. Skips a schedule's vial that no longer exists.
 * @throws AppError NOT_FOUND if the vial that the user named is missing or belongs to somebody else; INVALID_INPUT
 * (`compoundId`) if it is empty or discarded
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
  const namesakes = components ? [] : await repos(ctx).vials.forDose(ownerId, name, ids);
  const isBlend = components !== null && components !== undefined;
  const vials =
    isBlend || namesakes.some((vial) => vial.components !== undefined)
      ? await repos(ctx).vials.forDose(ownerId, null, ids)
      : namesakes;
  const named = vials.find(({ id }) => id === compoundId);
  if (compoundId && named === undefined) throw vialNotFound();
  if (named !== undefined && isFinal(named))
    throw fieldError('compoundId', `This vial is ${named.status}. Choose another one.`);
  return planDraws(vials, { ...request, day: await ownersDay(ctx, ownerId) });
}

/** The draws of one dose, recorded or reversed under one key. */
interface StockMove {
  /** Identifies the taking of the dose; the same key is recorded once. */
  key: string;
  draws: readonly { compoundId: string; mg: string; component?: number | undefined }[];
  at: Date;
}

/** The id of a dose's ledger entry in one of its vials. @param key identifies the taking of the dose */
export const drawEntryId = (key: string, compoundId: string): string => `${key}:${compoundId}`;

/**
 * Records the draws of a dose in the ledgers of its vials, each once. Part of the act that takes the dose. Missing stock is
 * never an error, and a vial that does not exist is skipped.
 * @returns a warning for each vial that is now over-drawn
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

/** Reverses the draws of a dose, each once. Part of the act that undoes the dose. */
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
