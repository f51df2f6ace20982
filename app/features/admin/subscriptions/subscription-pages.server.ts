import { dollars } from '#app/domain/mail/letter.ts';
import { shownInstantInZone } from '#app/domain/time/zoned-time.ts';
import { billingLabel } from '#app/domain/billing/subscription-events.ts';
import type { EventView, IssueView } from './billing-admin.server.ts';
import type { SubscriptionAnalytics, SubscriptionFigures } from './subscription-figures.server.ts';

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)}%`);
const dollarText = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const money = (amount: number): string => `${amount < 0 ? '−' : ''}${dollarText.format(Math.abs(amount))}`;
const count = new Intl.NumberFormat('en-US');
const EVENTS = '/admin/dashboard/subscriptions';
const ISSUES = `${EVENTS}/issues`;

/** The figures at the top of the subscription pages, as texts. */
export function figureViews(figures: SubscriptionFigures) {
  const { revenue, revenueBefore, premiumUsers, totalUsers, openIssues, escalatedIssues } = figures;
  const { churn, atStart, paymentSuccess } = figures;
  return [
    {
      label: 'Revenue, 30 days',
      value: money(revenue),
      note: `${money(revenueBefore)} in the 30 days before`,
      href: `${EVENTS}?type=payment_succeeded`,
    },
    {
      label: 'Premium users',
      value: count.format(premiumUsers),
      note: `of ${count.format(totalUsers)} ${totalUsers === 1 ? 'account' : 'accounts'}`,
      href: '/admin/dashboard/users?subscription=premium',
    },
    {
      label: 'Open issues',
      value: count.format(openIssues),
      note: `and ${count.format(escalatedIssues)} escalated`,
      href: ISSUES,
    },
    {
      label: 'Payment success, 30 days',
      value: percent(paymentSuccess),
      note: 'of all payments attempted',
      href: `${EVENTS}?type=payment_failed`,
    },
    {
      label: 'Churn, 30 days',
      value: percent(churn),
      note: `of ${count.format(atStart)} ${atStart === 1 ? 'subscription' : 'subscriptions'} at the start`,
      href: `${EVENTS}?type=subscription_canceled`,
    },
  ];
}

const nameOf = (userEmail: string | null): string => userEmail ?? 'deleted account';
const userHref = (userId: string, userEmail: string | null): string | null =>
  userEmail === null ? null : `/admin/dashboard/users/${userId}`;

/** Subscription events as texts. */
export function eventViews(rows: readonly EventView[], timeZone: string) {
  return rows.map(({ id, userId, userEmail, eventType, amountCents, status, createdAt, details }) => ({
    id,
    user: nameOf(userEmail),
    userHref: userHref(userId, userEmail),
    type: billingLabel(eventType),
    amount: amountCents === 0 ? '–' : money(amountCents / 100),
    status,
    at: shownInstantInZone(createdAt, timeZone),
    details,
  }));
}

/** A billing issue as texts. */
export function issueView(issue: IssueView, timeZone: string) {
  const { id, userId, userEmail, type, amountCents, description, status, openedAt, resolvedAt } = issue;
  return {
    id,
    href: `${ISSUES}/${encodeURIComponent(id)}`,
    user: nameOf(userEmail),
    userHref: userHref(userId, userEmail),
    canContact: userEmail !== null,
    type,
    kind: billingLabel(type),
    amount: amountCents === 0 ? null : dollars(amountCents),
    description,
    status,
    opened: shownInstantInZone(openedAt, timeZone),
    resolved: resolvedAt && shownInstantInZone(resolvedAt, timeZone),
  };
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The analytics as texts and bar heights. */
export function analyticsView({ months, trials }: SubscriptionAnalytics) {
  const tried = (month: (typeof months)[number]) => month.paid + month.failed;
  return {
    months: months.map((month) => ({
      ...month,
      revenueText: money(month.revenue),
      success: tried(month) === 0 ? null : month.paid / tried(month),
      successText: percent(tried(month) === 0 ? null : month.paid / tried(month)),
    })),
    payments: {
      tried: count.format(months.reduce((sum, month) => sum + tried(month), 0)),
      text: percent(
        shareOf(
          months.reduce((sum, { paid }) => sum + paid, 0),
          months.reduce((sum, month) => sum + tried(month), 0),
        ),
      ),
    },
    total: money(months.reduce((sum, { revenue }) => sum + revenue, 0)),
    trials: {
      ...trials,
      share: trials.ended === 0 ? null : trials.paid / trials.ended,
      text: percent(trials.ended === 0 ? null : trials.paid / trials.ended),
    },
  };
}
