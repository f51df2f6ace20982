import { AppError, conflict } from '#app/domain/errors.ts';
import { passwordChangedMail } from '#app/domain/accounts/account-mails.ts';
import {
  ACCOUNT_MESSAGES,
  changePasswordSchema,
  confirmPasswordSchema,
  type ChangePasswordInput,
  type ConfirmPasswordInput,
} from '#app/domain/accounts/account-schema.ts';
import { passkeySchema } from '#app/domain/accounts/passkey-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { makeDeviceToken } from './known-client.server.ts';
import { endOpenLinks } from './open-links.server.ts';
import { checkPasskey } from './passkeys.server.ts';
import { hashPassword, refuseCommonPassword, verifyPassword } from './passwords.server.ts';
import { checkCodeIfNeeded } from './second-factor.server.ts';
import { endSignIns, rotateSession, type StartedSession } from './sessions.server.ts';

/**
 * Changes the signed-in user's password and ends all their other sessions. The session that asks continues. Links that
 * open something without signing in end on request.
 * @returns the device token of the browser that asks: with the new password the others are strangers again, not this one
 * @throws AppError INVALID_INPUT at the field that is wrong, RATE_LIMITED, CONFLICT when it was changed elsewhere
 * at the same moment
 */
export async function changePassword(ctx: Ctx, input: ChangePasswordInput): Promise<{ deviceToken: string }> {
  const user = authoriseUser(ctx.actor, 'account.change-password');
  const { currentPassword, newPassword, endLinks } = parseInput(changePasswordSchema, input);
  await refuseCommonPassword(newPassword, 'newPassword');
  const oldHash = await checkOwnPassword(ctx, user, currentPassword, 'currentPassword');
  const revision = await ctx.repos.users.changePassword(user.id, oldHash, await hashPassword(newPassword));
  if (revision === null) {
    throw conflict('CHANGED_MEANWHILE', 'The password was just changed elsewhere. Please try again.');
  }
  await ctx.repos.oneTimeSecrets.clear(user.id);
  await endSignIns(ctx, user.id, user.sessionId);
  if (endLinks) await endOpenLinks(ctx, user.id);
  await recordAudit(ctx, { action: 'account.change-password', subjectId: user.id, before: {}, after: {} });
  const { appUrl, timeZone } = ctx;
  ctx.mailQueue.post(user.email, passwordChangedMail({ appUrl, at: ctx.now(), timeZone }));
  return { deviceToken: makeDeviceToken(ctx.secret, { userId: user.id, revision }) };
}

/**
 * Takes the password again, and where the account has a second factor a code of it. The session continues under a new secret and counts as a recent sign-in.
 * @param token the session's present secret, which stops working
 * @throws AppError INVALID_INPUT at the password or the code, RATE_LIMITED, UNAUTHENTICATED
 */
export async function confirmPassword(
  ctx: Ctx,
  input: ConfirmPasswordInput,
  token: string,
): Promise<StartedSession> {
  const user = authoriseUser(ctx.actor, 'account.confirm-password');
  const { password, code } = parseInput(confirmPasswordSchema, input);
  await checkOwnPassword(ctx, user, password, 'password');
  await checkCodeIfNeeded(ctx, user, code);
  ctx.log.info({ userId: user.id }, 'password confirmed');
  return rotateSession(ctx, token, { authenticatedAt: ctx.now() });
}

/**
 * Takes one of the account's passkeys instead, which stands for the password and for the second factor.
 * @throws AppError INVALID_INPUT, RATE_LIMITED, UNAUTHENTICATED
 */
export async function confirmWithPasskey(
  ctx: Ctx,
  input: { passkey: string },
  token: string,
): Promise<StartedSession> {
  const user = authoriseUser(ctx.actor, 'account.confirm-password');
  await checkPasskey(ctx, user, parseInput(passkeySchema, input).passkey);
  ctx.log.info({ userId: user.id }, 'passkey confirmed');
  return rotateSession(ctx, token, { authenticatedAt: ctx.now() });
}

/**
 * Checks the password that a signed-in user entered again.
 * @param field the form field that gets the message
 * @returns the hash it belongs to
 * @throws AppError INVALID_INPUT at the field, RATE_LIMITED
 */
async function checkOwnPassword(
  ctx: Ctx,
  user: SignedInUser,
  password: string,
  field: string,
): Promise<string> {
  const hash = await ctx.repos.users.findPasswordHash(user.id);
  const message = ACCOUNT_MESSAGES.wrongPassword;
  await ctx.throttle.checkGuess(
    [{ rule: THROTTLE_RULES.passwordCheck, who: user.id }],
    () => verifyPassword(hash, password),
    () => new AppError('INVALID_INPUT', message, { fields: { [field]: [message] } }),
  );
  return hash ?? '';
}
