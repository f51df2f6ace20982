import { accountFullMessage, fileTooLongMessage, rowQuota } from '#app/domain/billing/row-quota.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Ctx } from './context.server.ts';

/** Whose rows they are, and by which plan they are limited. */
export interface RowOwner {
  id: string;
  isPremium: boolean;
}

/** What is about to be written. */
interface NewRows {
  rows?: number;
  /** Finds the record that the same submission wrote before, if it did: then no room is needed. */
  findEarlier?: () => Promise<unknown>;
}

/**
 * Takes room for new records out of their owner's quota. Call it before they are written.
 * @throws AppError PLAN_LIMIT when there is none
 */
export async function takeRows(
  ctx: Ctx,
  { id, isPremium }: RowOwner,
  { rows = 1, findEarlier = () => Promise.resolve(null) }: NewRows = {},
): Promise<void> {
  if (await ctx.repos.rowQuota.take(id, rows, rowQuota(isPremium), ctx.now())) return;
  if ((await findEarlier()) !== null) return;
  throw new AppError('PLAN_LIMIT', accountFullMessage(isPremium));
}

/**
 * Checks that the new records of a file fit into their owner's quota; takes nothing.
 * @throws AppError PLAN_LIMIT when they don't
 */
export async function requireRoomFor(ctx: Ctx, { id, isPremium }: RowOwner, rows: number): Promise<void> {
  const room = await ctx.repos.rowQuota.room(id, rows, rowQuota(isPremium), ctx.now());
  if (room < rows) throw new AppError('PLAN_LIMIT', fileTooLongMessage(isPremium, room));
}
