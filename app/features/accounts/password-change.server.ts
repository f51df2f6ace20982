import { AppError } from '#app/domain/errors.ts';
import { passwordChangedMail } from '#app/domain/accounts/password-mails.ts';
import { changePasswordSchema, type ChangePasswordInput } from '#app/domain/accounts/profile-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { refuseCommonPassword } from './accounts.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { checkOwnPassword } from './password-check.server.ts';
import { hashPassword } from './passwords.server.ts';
import { endSignIns } from './session-revocation.server.ts';

/**
 * Changes the signed-in user's password and ends all their other sessions; the one that asks goes on.
 * @throws AppError INVALID_INPUT at the field that is wrong, RATE_LIMITED, CONFLICT when it was changed elsewhere
 * at the same moment
 */
export async function changePassword(ctx: Ctx, input: ChangePasswordInput): Promise<void> {
  const user = authoriseUser(ctx.actor, 'account.change-password');
  const { currentPassword, newPassword } = parseInput(changePasswordSchema, input);
  await refuseCommonPassword(newPassword, 'newPassword');
  const known = await checkOwnPassword(ctx, user, currentPassword, 'currentPassword');
  if (!(await ctx.repos.users.replacePasswordHash(user.id, known, await hashPassword(newPassword)))) {
    throw new AppError('CONFLICT', 'The password was changed elsewhere just now. Please try again.');
  }
  await ctx.repos.oneTimeSecrets.clear(user.id);
  await endSignIns(ctx, user.id, user.sessionId);
  await recordAudit(ctx, { action: 'account.change-password', subjectId: user.id, before: {}, after: {} });
  const { appUrl, timeZone } = ctx;
  ctx.postbox.post(user.email, passwordChangedMail({ appUrl, at: ctx.now(), timeZone }));
}
