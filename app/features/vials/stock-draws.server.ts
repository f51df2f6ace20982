import { AppError } from '#app/domain/errors.ts';
import {
  giveBack,
  takeFrom,
  planDraws,
  type DrawPlan,
  type DrawRequest,
  stockWarning,
  type StockWarning,
} from '#app/domain/vials/stock.ts';
import { isFinal } from '#app/domain/vials/vial.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { changeVialOf, vialNotFound } from './vial-writes.server.ts';

/** The zone in which an owner's days are counted, whoever asks. */
export async function ownersZone(ctx: Ctx, ownerId: string): Promise<string> {
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
export interface StockMove {
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
