import { AppError } from '#app/domain/errors.ts';
import { ADMIN_MESSAGES, deleteUserSchema, type DeleteUserInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import { changed, finishChange, openSubject } from './user-changes.server.ts';
import { isGone } from '#app/domain/accounts/deletion-grace.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { refuseAllSessions } from '#app/features/accounts/index.server.ts';

/**
 * Deletes an account: nobody gets in from now on, and the worker removes everything of it within minutes, its customer at
 * the payment provider too.
 * @throws AppError FORBIDDEN for all but super admins, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; INVALID_INPUT when the
 * address is not typed right; CONFLICT for a super admin, when it is deleted already or was changed since it was shown
 */
export async function deleteAccount(ctx: Ctx, input: DeleteUserInput): Promise<AccountView> {
  const { reason, confirmEmail, ...who } = parseInput(deleteUserSchema, input);
  const subject = await openSubject(ctx, 'admin.delete-account', who);
  if (confirmEmail !== subject.email) {
    const message = ADMIN_MESSAGES.confirmEmail;
    throw new AppError('INVALID_INPUT', message, { fields: { confirmEmail: [message] } });
  }
  if (subject.role === 'super_admin') throw new AppError('CONFLICT', ADMIN_MESSAGES.deleteSuperAdmin);
  const now = ctx.now();
  if (isGone(subject, now)) throw new AppError('CONFLICT', `${subject.email} is being deleted already.`);
  const before = changed(await ctx.repos.userAdmin.deleteFrom(subject, now));
  await refuseAllSessions(ctx, subject);
  return finishChange(ctx, { action: 'user.delete', before, reason });
}
