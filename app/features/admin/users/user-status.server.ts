import { AppError } from '#app/domain/errors.ts';
import { changeStatusSchema, type ChangeStatusInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import { changed, finishChange, leavingRole, openSubject } from './user-changes.server.ts';
import { endSubscriptions } from '#app/features/billing/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { refuseAllSessions } from '#app/features/accounts/index.server.ts';

/**
 * Suspends an account: its subscription, at the payment provider too, and its trial end, and it is out everywhere at
 * its next request.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when it is suspended already, the last super
 * admin, or changed since it was shown
 */
export async function suspendAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { reason, ...who } = parseInput(changeStatusSchema, input);
  const subject = await openSubject(ctx, 'admin.change-status', who);
  if (subject.suspendedAt !== null) throw new AppError('CONFLICT', `${subject.email} is suspended already.`);
  const before = await leavingRole(ctx, subject, () => ctx.repos.userAdmin.suspend(subject, ctx.now()));
  await refuseAllSessions(ctx, subject);
  await endSubscriptions(ctx, subject.id);
  return finishChange(ctx, { action: 'user.suspend', before, reason });
}

/**
 * Lifts a suspension. What it ended stays ended: the subscription remains canceled, and the person signs in anew.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when it is not suspended or was changed
 * since it was shown
 */
export async function reinstateAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { reason, ...who } = parseInput(changeStatusSchema, input);
  const subject = await openSubject(ctx, 'admin.change-status', who);
  if (subject.suspendedAt === null) throw new AppError('CONFLICT', `${subject.email} is not suspended.`);
  const before = changed(await ctx.repos.userAdmin.reinstate(subject));
  if (before.role === 'super_admin') await ctx.repos.roleHolders.add(before.id);
  return finishChange(ctx, { action: 'user.reinstate', before, reason });
}
