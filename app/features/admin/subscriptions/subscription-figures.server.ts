import {
  lastMonths,
  subscriptionRates,
  type SubscriptionRates,
} from '#app/domain/billing/revenue-figures.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from '../repositories.server.ts';

/** Also how long after its end a month is counted again: later events of it are rare. */
const STRETCH_DAYS = 30;
const TRIAL_DAYS = 14;
/** Trials that ended within this many days count. */
const CONVERSION_DAYS = 90;
const MONTHS = 12;

/** The figures at the top of the subscriptions page, from subscription events unless noted otherwise. */
export interface SubscriptionFigures extends SubscriptionRates {
  /** US dollars in the last 30 days and in the 30 days before, minus refunds. */
  revenue: number;
  revenueBefore: number;
  /** Entitled to Premium now, from any source; counted from the accounts. */
  premiumUsers: number;
  totalUsers: number;
  openIssues: number;
  escalatedIssues: number;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function subscriptionFigures(ctx: Ctx): Promise<SubscriptionFigures> {
  authorise(ctx.actor, 'billing-admin.read');
  const { billingAdmin } = repos(ctx);
  // The upper bound is exclusive; include events of this very millisecond.
  const now = new Date(ctx.now().getTime() + 1);
  const from = new Date(now.getTime() - STRETCH_DAYS * DAY_MS);
  const earlier = new Date(from.getTime() - STRETCH_DAYS * DAY_MS);
  const settled = new Date(now.getTime() - DAY_MS);
  const [stats, always, during, previous, openIssues, escalatedIssues] = await Promise.all([
    adminStats(ctx),
    billingAdmin.countBefore(from),
    billingAdmin.countDays(from, now, settled),
    billingAdmin.countDays(earlier, from, settled),
    billingAdmin.countIssues('open'),
    billingAdmin.countIssues('escalated'),
  ]);
  return {
    ...subscriptionRates(always, during),
    revenue: during.cents / 100,
    revenueBefore: previous.cents / 100,
    premiumUsers: stats.premiumUsers,
    totalUsers: stats.totalUsers,
    openIssues,
    escalatedIssues,
  };
}

/** One calendar month (UTC) of the analytics. */
export interface SubscriptionMonth {
  /** `YYYY-MM`. */
  month: string;
  /** US dollars, minus refunds. */
  revenue: number;
  created: number;
  canceled: number;
  paid: number;
  failed: number;
}

/** What the analytics tab shows. */
export interface SubscriptionAnalytics {
  months: SubscriptionMonth[];
  /** Trials that ended in the last 90 days, and how many of their accounts have paid. */
  trials: { ended: number; paid: number };
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function subscriptionAnalytics(ctx: Ctx): Promise<SubscriptionAnalytics> {
  authorise(ctx.actor, 'billing-admin.read');
  const { billingAdmin } = repos(ctx);
  const now = ctx.now();
  const names = lastMonths(now, MONTHS);
  const to = new Date(now.getTime() - TRIAL_DAYS * DAY_MS);
  const from = new Date(to.getTime() - CONVERSION_DAYS * DAY_MS);
  const settled = new Date(now.getTime() - STRETCH_DAYS * DAY_MS);
  const [counted, trials] = await Promise.all([
    billingAdmin.countByMonth(names[0] ?? '', settled),
    billingAdmin.countTrials(from, to),
  ]);
  const known = new Map(counted.map((figures) => [figures.month, figures]));
  const months = names.map((month) => {
    const { cents = 0, created = 0, canceled = 0, paid: went = 0, failed = 0 } = known.get(month) ?? {};
    return { month, revenue: cents / 100, created, canceled, paid: went, failed };
  });
  return { months, trials };
}
