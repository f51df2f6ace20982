import {
  accountFullMessage,
  fileTooLongMessage,
  rowQuota,
  type QuotaPlan,
} from '#app/domain/billing/quotas.ts';
import { AppError } from '#app/domain/errors.ts';
import { isInDemo } from './authorise.server.ts';
import type { Ctx } from './context.server.ts';
import { repos } from './repositories.server.ts';

/** The plan that limits the size of the account that a call is about. The terminal's operator may fill any account. */
export function quotaPlan({ actor }: Pick<Ctx, 'actor'>, isPremium: boolean): QuotaPlan {
  if (isInDemo(actor)) return 'demo';
  if (!isPremium) return 'free';
  return actor.kind === 'user' && actor.entitlement.source === 'trial' ? 'trial' : 'premium';
}

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
  const plan = quotaPlan(ctx, isPremium);
  if (await repos(ctx).rowQuota.take(id, rows, rowQuota(plan), ctx.now())) return;
  if ((await findEarlier()) !== null) return;
  throw new AppError('PLAN_LIMIT', accountFullMessage(plan));
}

/**
 * Checks that a file's new records fit into their owner's quota, without taking it.
 * @throws AppError PLAN_LIMIT when they don't
 */
export async function requireRoomFor(ctx: Ctx, { id, isPremium }: RowOwner, rows: number): Promise<void> {
  const plan = quotaPlan(ctx, isPremium);
  const room = await repos(ctx).rowQuota.room(id, rows, rowQuota(plan), ctx.now());
  if (room < rows) throw new AppError('PLAN_LIMIT', fileTooLongMessage(plan, room));
}
