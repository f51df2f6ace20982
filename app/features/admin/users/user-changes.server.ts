import { AppError } from '#app/domain/errors.ts';
import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import { ADMIN_MESSAGES, type ChangeStatusInput } from '#app/domain/admin/admin-schema.ts';
import type { UserRecord } from '#models/index.server.ts';
import { accountView, type AccountView } from '#app/platform/access/account-view.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, type Action } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getUserByEmail } from '#app/platform/access/owner.server.ts';
import { authoriseRecentOver } from '#app/platform/access/recent-sign-in.server.ts';

/** Whose account is meant, and as it was shown when the change was decided on. */
export type Named = Pick<ChangeStatusInput, 'email' | 'id'> & { revision?: number | undefined };

/** What the audit trail keeps of an account's standing. */
function standing(user: UserRecord, now: Date): Record<string, unknown> {
  const { subscription, status } = entitlementOf(user, now);
  return {
    role: user.role,
    suspended: user.suspendedAt !== null,
    subscription,
    subscriptionStatus: status,
    secondFactor: user.secondFactorAt != null,
    deleteAfter: user.deleteAfter,
  };
}

const stale = () => new AppError('CONFLICT', ADMIN_MESSAGES.stale);

/**
 * The account that an administrator names.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND
 */
export async function findSubject(ctx: Ctx, { id, email = '' }: Named): Promise<UserRecord> {
  authorise(ctx.actor, 'admin.find-account');
  const subject = id === undefined ? await getUserByEmail(ctx, email) : await ctx.repos.users.findById(id);
  if (subject === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return subject;
}

/**
 * The account that an administrator may and wants to change.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when it was changed since
 * it was shown
 */
export async function openSubject(ctx: Ctx, action: Action, named: Named): Promise<UserRecord> {
  const subject = await findSubject(ctx, named);
  authoriseRecentOver(ctx, action, { subject: { id: subject.id, role: subject.role } });
  if (named.revision !== undefined && named.revision !== (subject.adminRevision ?? 0)) throw stale();
  return subject;
}

/** What a change in one update gave. @throws AppError CONFLICT when somebody else was faster */
export function changed(before: UserRecord | null): UserRecord {
  if (before === null) throw stale();
  return before;
}

/** Writes the audit row of a change that was made. @returns the account as it is now */
export async function finishChange(
  ctx: Ctx,
  change: { action: string; before: UserRecord; reason: string | undefined },
): Promise<AccountView> {
  const { action, before, reason } = change;
  const now = ctx.now();
  const user = await ctx.repos.users.findById(before.id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  await recordAudit(ctx, {
    action,
    subjectId: user.id,
    before: standing(before, now),
    after: standing(user, now),
    reason,
  });
  return accountView(user, now);
}

/**
 * Gives up the role that must have a holder while `change` is made; when nothing was changed it is taken back.
 * @throws AppError CONFLICT for the last holder, and when somebody else was faster
 */
export async function leavingRole(
  ctx: Ctx,
  subject: UserRecord,
  change: () => Promise<UserRecord | null>,
): Promise<UserRecord> {
  if (subject.role !== 'super_admin') return changed(await change());
  const { roleHolders } = ctx.repos;
  if (!(await roleHolders.removeUnlessLast(subject.id))) {
    throw new AppError('CONFLICT', ADMIN_MESSAGES.lastSuperAdmin);
  }
  const before = await change();
  if (before === null) await roleHolders.add(subject.id);
  return changed(before);
}
