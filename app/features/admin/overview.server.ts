import { authorise } from '#app/platform/access/authorise.server.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { activeSince, type AccountFigures } from '#app/domain/admin/account-standing.ts';
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

/** Up to this many accounts are counted on each request; of more, the worker keeps the figures. */
const COUNTED_EACH_TIME = 20_000;

/**
 * The figures of the overview; with more than {@link COUNTED_EACH_TIME} accounts as the worker has them, who follows changes
 * within a minute.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function adminStats(ctx: Ctx, few = COUNTED_EACH_TIME): Promise<AdminStats> {
  authorise(ctx.actor, 'admin.stats');
  const [{ total, premium, active }, cents] = await Promise.all([
    accountFigures(ctx, few),
    ctx.isSelling ? receivedCents(ctx) : 0,
  ]);
  const entitled = ctx.isSelling ? premium : total;
  return {
    totalUsers: total,
    premiumUsers: entitled,
    freeUsers: Math.max(0, total - entitled),
    monthlyRevenue: cents / 100,
    activeUsers: active,
  };
}

const REVENUE_DAYS = 30;

async function receivedCents(ctx: Ctx): Promise<number> {
  const now = ctx.now().getTime();
  const from = new Date(now - REVENUE_DAYS * DAY_MS);
  // The upper bound is exclusive; events of this very millisecond count.
  const { cents } = await repos(ctx).billingAdmin.countDays(from, new Date(now + 1), new Date(now - DAY_MS));
  return cents;
}

async function accountFigures(ctx: Ctx, few: number): Promise<AccountFigures> {
  const figures = await repos(ctx).adminFigures.find();
  // Before the worker has counted all accounts once, its figures are not complete.
  const isComplete = figures !== null && figures.recountedAt !== null;
  if (isComplete && figures.total > few) return figures;
  return repos(ctx).userCounts.count(ctx, activeSince(ctx.now()));
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
