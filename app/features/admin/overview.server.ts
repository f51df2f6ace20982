import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { repos } from './repositories.server.ts';

/** The admin overview's figures. */
export interface AdminStats {
  totalUsers: number;
  /** Entitled to Premium now, from any source. */
  premiumUsers: number;
  freeUsers: number;
  /** US dollars received in the last 30 days, minus refunds. */
  monthlyRevenue: number;
  /** Signed in or made an authenticated request in the last 30 days. */
  activeUsers: number;
}

const MONTH_DAYS = 30;

/** Up to this many accounts, figures are counted on each request; beyond it, the worker counts them. */
const COUNTED_EACH_TIME = 20_000;

/** The worker recounts figures that are older than this. */
const FRESH_MS = 5 * 60_000;

/** Figures older than this are counted on request: no worker is running. */
const SHOWN_MS = 60 * 60_000;

/**
 * The figures of the overview; with more than {@link COUNTED_EACH_TIME} accounts as the worker last counted them.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function adminStats(ctx: Ctx, few = COUNTED_EACH_TIME): Promise<AdminStats> {
  authorise(ctx.actor, 'admin.stats');
  if (await hasFew(ctx, few)) return countStats(ctx);
  const figures = await repos(ctx).adminFigures.find();
  if (figures === null || !isWithin(SHOWN_MS, figures.at, ctx.now())) return countAndKeep(ctx);
  const { at: _counted, ...stats } = figures;
  return stats;
}

/**
 * Counts the figures of a server with many accounts, so that no page has to. A job of the worker.
 * @returns 1 if they were counted, 0 if that was not necessary
 */
export async function refreshAdminStats(ctx: Ctx, few = COUNTED_EACH_TIME): Promise<number> {
  authorise(ctx.actor, 'admin.count');
  if (await hasFew(ctx, few)) return 0;
  const figures = await repos(ctx).adminFigures.find();
  if (figures !== null && isWithin(FRESH_MS, figures.at, ctx.now())) return 0;
  await countAndKeep(ctx);
  return 1;
}

const isWithin = (ms: number, at: Date, now: Date) => Math.abs(now.getTime() - at.getTime()) < ms;

async function hasFew(ctx: Ctx, few: number): Promise<boolean> {
  return (await repos(ctx).userCounts.countAll()) <= few;
}

async function countAndKeep(ctx: Ctx): Promise<AdminStats> {
  const stats = await countStats(ctx);
  await repos(ctx).adminFigures.keep({ ...stats, at: ctx.now() });
  return stats;
}

async function countStats(ctx: Ctx): Promise<AdminStats> {
  const now = ctx.now();
  const since = new Date(now.getTime() - MONTH_DAYS * DAY_MS);
  const [{ total, premium, active }, cents] = await Promise.all([
    repos(ctx).userCounts.count(ctx, since),
    ctx.isSelling ? repos(ctx).subscriptionEvents.sumReceived(since) : 0,
  ]);
  return {
    totalUsers: total,
    premiumUsers: premium,
    freeUsers: Math.max(0, total - premium),
    monthlyRevenue: cents / 100,
    activeUsers: active,
  };
}

/** A recent change to an account, or a payment event. */
export type Activity = { id: string; at: Date; userId: string; email: string | null } & (
  | { kind: 'audit'; action: string }
  | { kind: 'payment'; eventType: string; amountCents: number; status: string }
);

const SHOWN = 12;

/**
 * The latest entries of the audit trail and of the billing record, newest first.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function recentActivity(ctx: Ctx): Promise<Activity[]> {
  authorise(ctx.actor, 'admin.stats');
  const [rows, events] = await Promise.all([
    repos(ctx).auditLists.list({}, null, { backwards: false, limit: SHOWN }),
    ctx.isSelling ? repos(ctx).subscriptionEvents.listLatest(SHOWN) : [],
  ]);
  const emails = await repos(ctx).userLists.findEmails([
    ...rows.map(({ subjectId }) => subjectId),
    ...events.map(({ userId }) => userId),
  ]);
  const named = (userId: string) => ({ userId, email: emails.get(userId) ?? null });
  const activity: Activity[] = [
    ...rows.map(({ id, at, action, subjectId }) => ({
      kind: 'audit' as const,
      id,
      at,
      action,
      ...named(subjectId),
    })),
    ...events.map(({ id, createdAt, eventType, amountCents, status, userId }) => {
      return {
        kind: 'payment' as const,
        id,
        at: createdAt,
        eventType,
        amountCents,
        status,
        ...named(userId),
      };
    }),
  ];
  return activity.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, SHOWN);
}
