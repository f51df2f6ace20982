import { type BillingProblemType, isFinal } from '#app/domain/billing/billing-state.ts';
import { type EntitlementSource, entitlementOf, type Plan } from '#app/domain/billing/plans.ts';
import { type AuditEntry, withNames } from '#app/features/admin/audit-trail.server.ts';
import { findSubject, listUserSessions, type UserSession } from './user-changes.server.ts';
import { listedUser, type ListedUser } from './users.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from '../repositories.server.ts';

/** The collections whose records are counted as usage. */
export const COUNTED = [
  'calculations',
  'compounds',
  'schedules',
  'doses',
  'injection_sites',
  'side_effects',
  'nutrition',
  'measurements',
  'orders',
  'lots',
  'supplies',
] as const;

/** An account as its page in the admin area shows it. */
export interface UserDetail extends ListedUser {
  /** Sent with every change made from this page. */
  revision: number;
  /** The main source of its Premium; null for a free account. */
  source: EntitlementSource | null;
  trialEndsAt: Date | null;
  creditUntil: Date | null;
  grantedAt: Date | null;
  suspendedAt: Date | null;
  deleteAfter: Date | null;
  billing: BillingSummary;
  /** Active sessions, last used first. */
  sessions: UserSession[];
  /** Number of records by collection. */
  usage: Record<(typeof COUNTED)[number], number>;
  /** The latest audit entries about the account. */
  history: AuditEntry[];
}

/** What an administrator needs first when a user writes about a payment. */
export interface BillingSummary {
  plan: Plan | null;
  /** When the subscription is next charged; null if none renews. */
  renewsAt: Date | null;
  /** When a subscription that was cancelled ends. */
  endsAt: Date | null;
  lastPayment: { at: Date; amountCents: number } | null;
  /** Unresolved issues, with the id used by their pages. */
  openIssues: { id: string; type: BillingProblemType }[];
  /** The customer's page at Stripe; null if there is none. */
  customerUrl: string | null;
}

/** The customer's page in the Stripe dashboard; test mode has none. */
const customerPage = (mode: Ctx['payments']['mode'], customerId: string): string | null =>
  mode === 'stripe' ? `https://dashboard.stripe.com/customers/${encodeURIComponent(customerId)}` : null;

async function billingOf(ctx: Ctx, userId: string, customerId: string | null): Promise<BillingSummary> {
  const { billing, billingIssues, subscriptionEvents } = repos(ctx);
  const [{ state }, issues, lastPayment] = await Promise.all([
    billing.find(userId),
    billingIssues.list(userId),
    subscriptionEvents.findLastPayment(userId),
  ]);
  const current = state.subscriptions.find((one) => !isFinal(one) && one.closedAt === null);
  return {
    plan: current?.plan ?? null,
    renewsAt: current?.cancelAt === null ? current.currentPeriodEnd : null,
    endsAt: current?.cancelAt ?? null,
    lastPayment,
    openIssues: issues
      .filter(({ status }) => status !== 'resolved')
      .map(({ id, type }) => ({ id: `${userId}:${id}`, type })),
    customerUrl: customerId === null ? null : customerPage(ctx.payments.mode, customerId),
  };
}

async function usageOf(ctx: Ctx, userId: string): Promise<UserDetail['usage']> {
  const counts = await Promise.all(COUNTED.map((name) => repos(ctx).personalData.count(name, userId)));
  return Object.fromEntries(COUNTED.map((name, index) => [name, counts[index]])) as UserDetail['usage'];
}

/**
 * One account with everything an administrator may see. Each view is recorded in the audit trail, which the owner can read.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND
 */
export async function viewUser(ctx: Ctx, id: string): Promise<UserDetail> {
  authorise(ctx.actor, 'admin.view-account');
  const user = await findSubject(ctx, { id });
  await recordAudit(ctx, { action: 'user.view', subjectId: user.id, before: {}, after: {} });
  const [usage, billing, sessions, rows] = await Promise.all([
    usageOf(ctx, user.id),
    billingOf(ctx, user.id, user.stripeCustomerId),
    listUserSessions(ctx, user.id),
    repos(ctx).audit.listAbout(user.id, 10),
  ]);
  const { trialEndsAt, creditUntil, grantedAt, suspendedAt, deleteAfter, adminRevision } = user;
  return {
    ...listedUser(user, ctx),
    revision: adminRevision ?? 0,
    source: entitlementOf(user, ctx).source,
    trialEndsAt,
    creditUntil,
    grantedAt,
    suspendedAt,
    deleteAfter,
    billing,
    sessions,
    usage,
    history: await withNames(ctx, rows),
  };
}
