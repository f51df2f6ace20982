import { isAdminRole, type Role } from '#app/domain/accounts/roles.ts';
import { AppError } from '#app/domain/errors.ts';
import { recoveryCodeUsedMail } from '#app/domain/accounts/security-mails.ts';
import { SECOND_FACTOR_MESSAGES } from '#app/domain/accounts/second-factor-schema.ts';
import { parseRecoveryCode } from '#app/domain/accounts/recovery-codes.ts';
import { matchOneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import type { UserRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { hashRecoveryCode } from './recovery-codes.server.ts';
import { openFactor, sealOldFactor } from './second-factor-secret.server.ts';

/** Admins need a second factor wherever the site is reached by https (decisions, section 14). */
export function isSecondFactorRequired(ctx: Pick<Ctx, 'appUrl'>, role: Role): boolean {
  return isAdminRole(role) && ctx.appUrl.startsWith('https:');
}

/** What a code that is wrong, or was used, is answered with. */
export function wrongCode(): AppError {
  const message = SECOND_FACTOR_MESSAGES.wrong;
  return new AppError('INVALID_INPUT', message, { fields: { code: [message] } });
}

async function useRecoveryCode(ctx: Ctx, user: UserRecord, code: string): Promise<boolean> {
  const left = await ctx.repos.secondFactors.useRecoveryCode(user.id, hashRecoveryCode(code));
  if (left === null) return false;
  const { appUrl } = ctx;
  await recordAudit(ctx, {
    action: 'second-factor.recovery-code-used',
    subjectId: user.id,
    before: { left: left + 1 },
    after: { left },
  });
  const { timeZone } = user;
  ctx.postbox.post(user.email, recoveryCodeUsedMail({ appUrl, at: ctx.now(), timeZone, left }));
  return true;
}

/**
 * Whether a code opens the second step of an account's sign-in. A right one is used up: a code of the app with its
 * step and all before it, a recovery code by itself.
 */
export async function useCode(ctx: Ctx, user: UserRecord, typed: string): Promise<boolean> {
  const recovery = parseRecoveryCode(typed);
  if (recovery !== null) return useRecoveryCode(ctx, user, recovery);
  const factor = await ctx.repos.secondFactors.find(user.id);
  if (factor?.confirmedAt == null) return false;
  const secret = openFactor(ctx, factor);
  const step = secret === null ? null : matchOneTimeCode(secret, typed, ctx.now());
  if (step === null || !(await ctx.repos.secondFactors.useStep(user.id, step))) return false;
  await sealOldFactor(ctx, factor);
  return true;
}
