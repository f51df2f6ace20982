import { randomBytes } from 'node:crypto';

import { AppError } from '#app/domain/errors.ts';
import {
  recoveryCodesMadeMail,
  secondFactorOffMail,
  secondFactorOnMail,
} from '#app/domain/accounts/security-mails.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import {
  codeSchema,
  SECOND_FACTOR_MESSAGES,
  type CodeInput,
} from '#app/domain/accounts/second-factor-schema.ts';
import { SECRET_BYTES } from '#app/domain/accounts/one-time-code.ts';
import { matchOneTimeCode, oneTimeSecret, oneTimeUri } from '#app/integrations/one-time-codes.server.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';

import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { checkUnderThrottle } from './password-check.server.ts';
import { authoriseRecent } from '#app/platform/access/recent-sign-in.server.ts';
import { makeRecoveryCodes } from './recovery-codes.server.ts';
import { openFactor, sealFactor } from './second-factor-secret.server.ts';
import { isSecondFactorRequired, wrongCode } from './second-factor-check.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/** How it stands with somebody's second factor. */
export interface SecondFactorView {
  /** Since when signing in asks for a code; null when it does not. */
  onSince: Date | null;
  recoveryCodesLeft: number;
  /** The account may not be without one. */
  isRequired: boolean;
  /** A setup that waits for its first code. */
  setup: { secret: string; uri: string; qr: QrDrawing } | null;
}

/** The signed-in user's second factor. The secret is in it only while it is being set up. */
export async function getSecondFactor(ctx: Ctx): Promise<SecondFactorView> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const found = await ctx.repos.secondFactors.find(user.id);
  const pending = found !== null && found.confirmedAt === null ? openFactor(ctx, found) : null;
  const uri = pending === null ? '' : oneTimeUri(pending, user.email);
  return {
    onSince: found?.confirmedAt ?? null,
    recoveryCodesLeft: found?.recoveryHashes.length ?? 0,
    isRequired: isSecondFactorRequired(ctx, user.role),
    setup: pending === null ? null : { secret: pending, uri, qr: drawQr(uri) },
  };
}

/**
 * Begins the setup with a new secret.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; CONFLICT when there is a factor
 */
export async function beginSecondFactor(ctx: Ctx): Promise<void> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const secret = oneTimeSecret(randomBytes(SECRET_BYTES));
  if (!(await ctx.repos.secondFactors.begin(user.id, sealFactor(ctx, user.id, secret), ctx.now()))) {
    throw new AppError('CONFLICT', SECOND_FACTOR_MESSAGES.on);
  }
}

async function tell(
  ctx: Ctx,
  user: SignedInUser,
  action: string,
  mail: typeof secondFactorOnMail,
): Promise<void> {
  await recordAudit(ctx, { action, subjectId: user.id, before: {}, after: {} });
  ctx.postbox.post(user.email, mail({ appUrl: ctx.appUrl, at: ctx.now(), timeZone: ctx.timeZone }));
}

/**
 * Ends the setup with the first code of the app: from now on signing in asks for one.
 * @returns the recovery codes, shown this once
 * @throws AppError RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, RATE_LIMITED; CONFLICT when no setup was begun
 */
export async function confirmSecondFactor(ctx: Ctx, input: CodeInput): Promise<string[]> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const { code } = parseInput(codeSchema, input);
  const found = await ctx.repos.secondFactors.find(user.id);
  if (found === null) throw new AppError('CONFLICT', SECOND_FACTOR_MESSAGES.off);
  if (found.confirmedAt !== null) throw new AppError('CONFLICT', SECOND_FACTOR_MESSAGES.on);
  const secret = openFactor(ctx, found);
  const step = secret === null ? null : matchOneTimeCode(secret, code, ctx.now());
  await checkUnderThrottle(
    ctx,
    [{ rule: THROTTLE_RULES.secondFactor, who: user.id }],
    () => Promise.resolve(step !== null),
    wrongCode,
  );
  const codes = makeRecoveryCodes();
  const first = { at: ctx.now(), step: step ?? 0, recoveryHashes: codes.hashes };
  if (!(await ctx.repos.secondFactors.confirm(user.id, found.secret, first))) {
    throw new AppError('CONFLICT', SECOND_FACTOR_MESSAGES.stale);
  }
  await ctx.repos.users.setSecondFactor(user.id, ctx.now());
  await tell(ctx, user, 'second-factor.on', secondFactorOnMail);
  return codes.shown;
}

/**
 * Replaces the recovery codes; the old ones are dead.
 * @returns the new ones, shown this once
 * @throws AppError RECENT_SIGN_IN_REQUIRED; CONFLICT without a second factor
 */
export async function renewRecoveryCodes(ctx: Ctx): Promise<string[]> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const codes = makeRecoveryCodes();
  if (!(await ctx.repos.secondFactors.replaceRecoveryCodes(user.id, codes.hashes))) {
    throw new AppError('CONFLICT', SECOND_FACTOR_MESSAGES.off);
  }
  await tell(ctx, user, 'second-factor.recovery-codes', recoveryCodesMadeMail);
  return codes.shown;
}

/**
 * Switches the second factor off.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; FORBIDDEN where the role needs one; CONFLICT when it is off
 */
export async function endSecondFactor(ctx: Ctx): Promise<void> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  if (isSecondFactorRequired(ctx, user.role))
    throw new AppError('FORBIDDEN', SECOND_FACTOR_MESSAGES.required);
  await ctx.repos.users.setSecondFactor(user.id, null);
  const wasOn = await ctx.repos.secondFactors.remove(user.id);
  if (!wasOn) throw new AppError('CONFLICT', SECOND_FACTOR_MESSAGES.off);
  await tell(ctx, user, 'second-factor.off', secondFactorOffMail);
}
