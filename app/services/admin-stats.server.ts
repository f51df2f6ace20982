import { DAY_MS } from '#app/domain/plans/index.ts';
import { authorise } from './authorise.server.ts';
import type { Ctx } from './context.server.ts';

/** The admin overview's figures (specification, section 3). */
export interface AdminStats {
  totalUsers: number;
  /** Entitled to premium now, whatever the source. */
  premiumUsers: number;
  freeUsers: number;
  /** US dollars received in the last 30 days, refunds taken off. */
  monthlyRevenue: number;
  /** Signed in or made an authenticated request in the last 30 days. */
  activeUsers: number;
}

const MONTH_DAYS = 30;

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function adminStats(ctx: Ctx): Promise<AdminStats> {
  authorise(ctx.actor, 'admin.stats');
  const now = ctx.now();
  const since = new Date(now.getTime() - MONTH_DAYS * DAY_MS);
  const [{ total, premium, active }, cents] = await Promise.all([
    ctx.repos.userCounts.count(now, since),
    ctx.repos.subscriptionEvents.sumReceived(since),
  ]);
  return {
    totalUsers: total,
    premiumUsers: premium,
    freeUsers: Math.max(0, total - premium),
    monthlyRevenue: cents / 100,
    activeUsers: active,
  };
}
