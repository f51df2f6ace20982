import { AppError } from '#app/domain/errors.ts';
import { passwordChangedMail, passwordResetMail } from '#app/domain/accounts/account-mails.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  forgotPasswordSchema,
  RESET_LINK_OVER,
  RESET_MINUTES,
  resetPasswordSchema,
  type ForgotPasswordInput,
  type ResetPasswordInput,
} from '#app/domain/accounts/account-schema.ts';
import type { UserRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { endOpenLinks } from './open-links.server.ts';
import { hashPassword, refuseCommonPassword } from './passwords.server.ts';
import {
  createOneTimeSecret,
  findOneTimeSecret,
  takeOneTimeSecret,
} from '#app/platform/secrets/one-time-secrets.server.ts';
import { endSignIns } from './sessions.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

const PURPOSE = 'reset-password';

/** The owner of a link for an unknown address, so that the database does the same work as for a known one. */
const NOBODY = 'nobody';

/**
 * Mails a link to choose a new password. Does the same work whether or not the address has an account; only the mail,
 * which goes out afterwards, differs.
 * @throws AppError INVALID_INPUT, RATE_LIMITED
 */
export async function askForPasswordReset(ctx: Ctx, input: ForgotPasswordInput): Promise<void> {
  authorise(ctx.actor, 'password.reset');
  const { email } = parseInput(forgotPasswordSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.resetClient, who: ctx.client.address });
  await ctx.throttle.take({ rule: THROTTLE_RULES.resetAddress, who: email });
  const user = await ctx.repos.users.find((await ctx.repos.addresses.findOwner(email)) ?? NOBODY);
  const lifeMs = RESET_MINUTES * MINUTE_MS;
  const token = await createOneTimeSecret(ctx, { userId: user?.id ?? NOBODY, purpose: PURPOSE, lifeMs });
  ctx.log.info({ userId: user?.id ?? null }, 'password reset asked for');
  if (user === null || user.suspendedAt !== null) return;
  ctx.mailQueue.post(
    user.email,
    passwordResetMail({ appUrl: ctx.appUrl, token, validMinutes: RESET_MINUTES }),
  );
}

const linkIsOver = () => new AppError('NOT_FOUND', RESET_LINK_OVER);

/**
 * Checks that a link works, without using it up.
 * @throws AppError NOT_FOUND when it was used, has expired or is not one of ours
 */
export async function checkResetLink(ctx: Ctx, token: string): Promise<void> {
  authorise(ctx.actor, 'password.reset');
  if ((await findOneTimeSecret(ctx, PURPOSE, token)) === null) throw linkIsOver();
}

/** Uses up the link, and with it all other links of the account. */
async function takeLink(ctx: Ctx, token: string): Promise<UserRecord> {
  const taken = await takeOneTimeSecret(ctx, PURPOSE, token);
  const user = taken === null ? null : await ctx.repos.users.find(taken.userId);
  if (user === null || user.suspendedAt !== null) throw linkIsOver();
  await ctx.repos.oneTimeSecrets.clear(user.id);
  return user;
}

/**
 * Sets a new password by a link from a mail, ends all sessions of the account and revokes its
 * personal tokens, its passkeys, its shared reports and its calendar link. A second factor stays: the new password alone
 * does not sign in to an account that has one.
 * @throws AppError INVALID_INPUT, after which the link still works; NOT_FOUND when the link does not work
 */
export async function resetPassword(ctx: Ctx, token: string, input: ResetPasswordInput): Promise<void> {
  await checkResetLink(ctx, token);
  const { password } = parseInput(resetPasswordSchema, input);
  await refuseCommonPassword(password);
  const passwordHash = await hashPassword(password);
  const { id, email, timeZone } = await takeLink(ctx, token);
  await ctx.repos.users.setPasswordHash(id, passwordHash);
  // The link came by mail.
  await ctx.repos.users.confirmEmail(id, email, ctx.now());
  await endSignIns(ctx, id, null);
  // Somebody who forgot the password may have lost control of more. A change while signed in keeps the tokens.
  await ctx.repos.apiTokens.clear(id);
  await ctx.repos.passkeys.clear(id);
  await endOpenLinks(ctx, id);
  await recordAudit(ctx, { action: 'account.reset-password', subjectId: id, before: {}, after: {} });
  ctx.mailQueue.post(email, passwordChangedMail({ appUrl: ctx.appUrl, at: ctx.now(), timeZone }));
}
