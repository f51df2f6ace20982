import { AppError } from '#app/domain/errors.ts';
import { secondFactorOffMail } from '#app/domain/accounts/security-mails.ts';
import { changeStatusSchema, type ChangeStatusInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import { changed, finishChange, openSubject } from './user-changes.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { endAllSessions } from '#app/features/accounts/index.server.ts';

/**
 * Ends all sign-ins of an account, as a sign-out in each of its browsers would.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when it was changed since it was shown
 */
export async function signOutAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { reason, ...who } = parseInput(changeStatusSchema, input);
  const subject = await openSubject(ctx, 'admin.change-locks', who);
  const before = changed(await ctx.repos.userAdmin.moveRevision(subject));
  await endAllSessions(ctx, subject);
  return finishChange(ctx, { action: 'user.sign-out', before, reason });
}

/**
 * Takes an account's second factor away, for somebody who lost it: the password alone signs in again, until they set up
 * another. Its owner is told by mail.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when it has none or was changed since it was
 * shown
 */
export async function resetAccountSecondFactor(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { reason, ...who } = parseInput(changeStatusSchema, input);
  const subject = await openSubject(ctx, 'admin.change-locks', who);
  const { id, email, timeZone } = subject;
  if (subject.secondFactorAt == null) throw new AppError('CONFLICT', `${email} has no two-step sign-in.`);
  const before = changed(await ctx.repos.userAdmin.resetSecondFactor(subject));
  await ctx.repos.secondFactors.remove(id);
  ctx.postbox.post(email, secondFactorOffMail({ appUrl: ctx.appUrl, at: ctx.now(), timeZone }));
  return finishChange(ctx, { action: 'user.reset-second-factor', before, reason });
}
