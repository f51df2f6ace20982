import { actionText } from '#app/domain/audit/audit-texts.ts';
import { shownInstantInZone } from '#app/domain/time/zoned-time.ts';
import type { Activity, AdminStats } from './overview.server.ts';
import { billingLabel } from '#app/domain/billing/subscription-events.ts';

const count = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** A percentage with one decimal; "0%" when `whole` is 0. */
function share(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${((part / whole) * 100).toFixed(1)}%`;
}

/** The figures of the overview as texts. */
export function overviewFigures(stats: AdminStats, isSelling: boolean) {
  const { totalUsers, premiumUsers, freeUsers, monthlyRevenue, activeUsers } = stats;
  const average = premiumUsers === 0 ? 0 : monthlyRevenue / premiumUsers;
  const total = { label: 'Total users', href: '/admin/dashboard/users', value: count.format(totalUsers) };
  const active = {
    label: 'Active users (30 days)',
    href: '/admin/dashboard/users?active=30',
    value: count.format(activeUsers),
    note: `${share(activeUsers, totalUsers)} of all users`,
  };
  if (!isSelling) return [{ ...total, note: 'without demos' }, active];
  return [
    { ...total, note: `${share(premiumUsers, totalUsers)} premium` },
    {
      label: 'Premium users',
      href: '/admin/dashboard/users?subscription=premium',
      value: count.format(premiumUsers),
      note: `${share(premiumUsers, totalUsers)} of all users`,
    },
    {
      label: 'Free users',
      href: '/admin/dashboard/users?subscription=free',
      value: count.format(freeUsers),
      note: `${share(freeUsers, totalUsers)} of all users`,
    },
    {
      label: 'Monthly revenue',
      href: '/admin/dashboard/subscriptions',
      value: dollars.format(monthlyRevenue),
      note: `${dollars.format(average)} average per premium user, last 30 days`,
    },
    active,
  ];
}

/** "Payment failed, $5.00", without the amount if it is 0. */
function paymentText({ eventType, amountCents }: Activity & { kind: 'payment' }): string {
  const words = billingLabel(eventType);
  return amountCents === 0 ? words : `${words}, ${dollars.format(amountCents / 100)}`;
}

/** A line of the recent activity as texts. */
export function activityRow(entry: Activity, timeZone: string) {
  const { id, at, userId, email } = entry;
  const what = entry.kind === 'audit' ? actionText(entry.action) : paymentText(entry);
  return {
    id,
    when: shownInstantInZone(at, timeZone),
    what,
    who: email ?? userId,
    userId: email === null ? null : userId,
  };
}
