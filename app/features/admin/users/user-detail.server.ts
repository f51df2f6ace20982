import { type EntitlementSource, entitlementOf } from '#app/domain/billing/plans.ts';
import { type AuditEntry, withNames } from '#app/features/admin/audit-trail.server.ts';
import { findSubject } from './user-changes.server.ts';
import { listedUser, type ListedUser } from './users.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

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
] as const;

/** An account as its page in the admin area shows it. */
export interface UserDetail extends ListedUser {
  /** Sent along with every change made from this view. */
  revision: number;
  /** The strongest reason why it is premium; null for a free account. */
  source: EntitlementSource | null;
  trialEndsAt: Date | null;
  creditUntil: Date | null;
  grantedAt: Date | null;
  suspendedAt: Date | null;
  deleteAfter: Date | null;
  /** Active sign-ins and personal tokens. */
  sessions: number;
  /** Number of records by collection. */
  usage: Record<(typeof COUNTED)[number], number>;
  /** The latest audit entries about the account. */
  history: AuditEntry[];
}

async function usageOf(ctx: Ctx, userId: string): Promise<UserDetail['usage']> {
  const counts = await Promise.all(COUNTED.map((name) => ctx.repos.personalData.count(name, userId)));
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
  const now = ctx.now();
  const [usage, sessions, rows] = await Promise.all([
    usageOf(ctx, user.id),
    ctx.repos.sessions.list(user.id, now),
    ctx.repos.audit.listAbout(user.id, 10),
  ]);
  const { trialEndsAt, creditUntil, grantedAt, suspendedAt, deleteAfter, adminRevision } = user;
  return {
    ...listedUser(user, now),
    revision: adminRevision ?? 0,
    source: entitlementOf(user, now).source,
    trialEndsAt,
    creditUntil,
    grantedAt,
    suspendedAt,
    deleteAfter,
    sessions: sessions.length,
    usage,
    history: await withNames(ctx, rows),
  };
}
