import { plural } from '#app/domain/text/plural.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Ctx } from './context.server.ts';

/** Records an account may have: calculations, vials, schedules, doses, orders, and everything tracked. */
const FREE_ROWS = 5000;
const PREMIUM_ROWS = 1_000_000;

/** How many records an account may have. */
const rowQuota = (isPremium: boolean): number => (isPremium ? PREMIUM_ROWS : FREE_ROWS);

const limitText = (isPremium: boolean): string =>
  `${isPremium ? 'an account' : 'the free plan'} holds ${plural(rowQuota(isPremium), 'record')}`;

const wayOut = (isPremium: boolean): string =>
  isPremium
    ? 'Delete records you no longer need and try again.'
    : `Delete records you no longer need, or upgrade to Premium for ${plural(PREMIUM_ROWS, 'record')}.`;

/** Shown when there is no room for another record. */
const accountFullMessage = (isPremium: boolean): string =>
  `Your account is full: ${limitText(isPremium)}. ${wayOut(isPremium)}`;

/** Shown when a file has more new records than there is room for. */
const fileTooLongMessage = (isPremium: boolean, room: number): string =>
  `This file has too many new records: ${limitText(isPremium)}, and yours has room for ${room.toLocaleString('en')} more. ${wayOut(isPremium)}`;

/** The owner of the rows, and the plan that limits them. */
interface RowOwner {
  id: string;
  isPremium: boolean;
}

/** The records about to be written. */
interface NewRows {
  rows?: number;
  /** Finds a record already written by the same submission; then no room is needed. */
  findEarlier?: () => Promise<unknown>;
}

/**
 * Takes new records off their owner's quota. Call it before writing them.
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
 * Checks that a file's new records fit into their owner's quota, without taking it.
 * @throws AppError PLAN_LIMIT when they don't
 */
export async function requireRoomFor(ctx: Ctx, { id, isPremium }: RowOwner, rows: number): Promise<void> {
  const room = await ctx.repos.rowQuota.room(id, rows, rowQuota(isPremium), ctx.now());
  if (room < rows) throw new AppError('PLAN_LIMIT', fileTooLongMessage(isPremium, room));
}
