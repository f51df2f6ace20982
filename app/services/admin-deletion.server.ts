import { AppError } from '#app/domain/errors.ts';
import { ADMIN_MESSAGES, deleteUserSchema, type DeleteUserInput } from '#app/domain/schemas/admin.ts';
import { parseInput } from '#app/domain/schemas/parse-input.ts';
import type { AccountView } from './accounts.server.ts';
import { changed, finishChange, openSubject } from './admin-subject.server.ts';
import { isGone } from '#app/domain/accounts/deletion.ts';
import type { Ctx } from './context.server.ts';
import { refuseAllSessions } from './session-ending.server.ts';

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
  await refuseAllSessions(ctx, subject.id);
  return finishChange(ctx, { action: 'user.delete', before, reason });
}
