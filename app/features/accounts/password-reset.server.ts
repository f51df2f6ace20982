import { AppError } from '#app/domain/errors.ts';
import { passwordChangedMail, passwordResetMail } from '#app/domain/accounts/password-mails.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import {
  forgotPasswordSchema,
  RESET_LINK_OVER,
  RESET_MINUTES,
  resetPasswordSchema,
  type ForgotPasswordInput,
  type ResetPasswordInput,
} from '#app/domain/accounts/password-reset-schema.ts';
import type { UserRecord } from '#models/index.server.ts';
import { refuseCommonPassword } from './accounts.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { hashPassword } from './passwords.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { endSignIns } from './session-revocation.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

const PURPOSE = 'reset-password';

/** Stands for the owner where there is no account, so that the database is asked and written as often. */
const NOBODY = 'nobody';

/**
 * Sends a link to a new password. Does the same whether or not the address has an account, but for the mail, which
 * goes out afterwards.
 * @throws AppError INVALID_INPUT, RATE_LIMITED
 */
export async function askForPasswordReset(ctx: Ctx, input: ForgotPasswordInput): Promise<void> {
  authorise(ctx.actor, 'password.reset');
  const { email } = parseInput(forgotPasswordSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.resetClient, who: ctx.client.address });
  await ctx.throttle.take({ rule: THROTTLE_RULES.resetAddress, who: email });
  const user = await ctx.repos.users.findById((await ctx.repos.addresses.findOwner(email)) ?? NOBODY);
  const now = ctx.now();
  const token = newToken();
  await ctx.repos.oneTimeSecrets.insert({
    hash: hashToken(token),
    userId: user?.id ?? NOBODY,
    purpose: PURPOSE,
    createdAt: now,
    expiresAt: new Date(now.getTime() + RESET_MINUTES * 60_000),
    failures: 0,
    facts: {},
  });
  ctx.log.info({ userId: user?.id ?? null }, 'password reset asked for');
  if (user === null || user.suspendedAt !== null) return;
  ctx.postbox.post(user.email, passwordResetMail({ appUrl: ctx.appUrl, token, validMinutes: RESET_MINUTES }));
}

const linkIsOver = () => new AppError('NOT_FOUND', RESET_LINK_OVER);

/**
 * Whether a link works, without using it up.
 * @throws AppError NOT_FOUND when it was used, is too old or was never given out
 */
export async function checkResetLink(ctx: Ctx, token: string): Promise<void> {
  authorise(ctx.actor, 'password.reset');
  const found = isToken(token)
    ? await ctx.repos.oneTimeSecrets.find(hashToken(token), PURPOSE, ctx.now())
    : null;
  if (found === null) throw linkIsOver();
}

/** Uses up a link, and with it all others of the account. */
async function takeLink(ctx: Ctx, token: string): Promise<UserRecord> {
  const { oneTimeSecrets, users } = ctx.repos;
  const taken = await oneTimeSecrets.take(hashToken(token), PURPOSE, ctx.now());
  const user = taken === null ? null : await users.findById(taken.userId);
  if (user === null || user.suspendedAt !== null) throw linkIsOver();
  await oneTimeSecrets.clear(user.id);
  return user;
}

/**
 * Sets a new password by a link from a mail and ends all sessions and personal tokens of the account.
 * @throws AppError INVALID_INPUT (the link still works then); NOT_FOUND when the link does not work
 */
export async function resetPassword(ctx: Ctx, token: string, input: ResetPasswordInput): Promise<void> {
  await checkResetLink(ctx, token);
  const { password } = parseInput(resetPasswordSchema, input);
  await refuseCommonPassword(password);
  const passwordHash = await hashPassword(password);
  const { id, email, timeZone } = await takeLink(ctx, token);
  await ctx.repos.users.setPasswordHash(id, passwordHash);
  await endSignIns(ctx, id, null);
  // Whoever forgot the password may have lost more; a change while signed in keeps them.
  await ctx.repos.apiTokens.clear(id);
  await recordAudit(ctx, { action: 'account.reset-password', subjectId: id, before: {}, after: {} });
  ctx.postbox.post(email, passwordChangedMail({ appUrl: ctx.appUrl, at: ctx.now(), timeZone }));
}
