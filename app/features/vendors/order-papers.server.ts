import type { OrderPaper } from '#app/domain/vendors/paper-schema.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  addPaper,
  deletePaper,
  readStoredPaper,
  type SentPaper,
  type StoredPaper,
} from '#app/platform/files/papers.server.ts';
import { getOrder } from './orders.server.ts';

/**
 * Adds a certificate of analysis or another paper to one of the signed-in user's orders.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT when
 * there is no room for more, RATE_LIMITED
 */
export async function addOrderPaper(ctx: Ctx, orderId: string, sent: SentPaper): Promise<OrderPaper> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return addPaper(ctx, user.id, ctx.repos.orderPapers, await getOrder(ctx, orderId), sent);
}

/** A paper of one of the signed-in user's orders. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function readOrderPaper(ctx: Ctx, orderId: string, paperId: string): Promise<StoredPaper> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return readStoredPaper(ctx, user.id, await ctx.repos.orders.find(user.id, orderId), paperId);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteOrderPaper(ctx: Ctx, orderId: string, paperId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  await deletePaper(ctx, user.id, ctx.repos.orderPapers, orderId, paperId);
}
