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

/** Up to so many accounts the figures are counted each time; beyond, that would cost what is counted. */
export const COUNTED_EACH_TIME = 20_000;
const KEPT_MS = 5 * 60_000;

/** The last figures of a process that has too many accounts to count each time. */
const kept = new WeakMap<Ctx['repos'], { at: number; stats: AdminStats }>();

/**
 * The figures of the overview; with more than {@link COUNTED_EACH_TIME} accounts they may be five minutes old.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function adminStats(ctx: Ctx): Promise<AdminStats> {
  authorise(ctx.actor, 'admin.stats');
  if ((await ctx.repos.userCounts.countAll()) <= COUNTED_EACH_TIME) return countStats(ctx);
  const at = ctx.now().getTime();
  const last = kept.get(ctx.repos);
  if (last !== undefined && Math.abs(at - last.at) < KEPT_MS) return last.stats;
  const stats = await countStats(ctx);
  kept.set(ctx.repos, { at, stats });
  return stats;
}

async function countStats(ctx: Ctx): Promise<AdminStats> {
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
