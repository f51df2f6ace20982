import { createHash, randomBytes } from 'node:crypto';
import {
  SECRET_BYTES,
  formatRecoveryCode,
  parseRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodes,
  codeSchema,
  SECOND_FACTOR_MESSAGES,
  type CodeInput,
  type TurnOffInput,
} from '#app/domain/accounts/second-factor.ts';
import { isSecondFactorRequired, SECOND_FACTOR_REQUIRED } from '#app/domain/accounts/account.ts';
import { passkeySchema } from '#app/domain/accounts/passkey-schema.ts';
import {
  recoveryCodesCreatedMail,
  recoveryCodeUsedMail,
  secondFactorOffMail,
  secondFactorOnMail,
} from '#app/domain/accounts/account-mails.ts';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { matchOneTimeCode, oneTimeSecret, oneTimeUri } from '#app/integrations/one-time-codes.server.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import type { SecondFactorRecord, UserRecord } from '#models/index.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { checkPasskey } from './passkeys.server.ts';
import { decryptSecret, encryptSecret, isEncrypted } from '#app/platform/secrets/encrypted-secret.server.ts';
import { repos } from './repositories.server.ts';

/** An account's second factor as its owner sees it. */
export interface SecondFactorView {
  /** When it was turned on; null while it is off. */
  onSince: Date | null;
  recoveryCodesLeft: number;
  /** The owner may not turn it off. */
  isRequired: boolean;
  /** A setup waiting for its first code; null when there is none. */
  setup: { secret: string; uri: string; qr: QrDrawing } | null;
}

/** The signed-in user's second factor. It includes the secret only during setup. */
export async function getSecondFactor(ctx: Ctx): Promise<SecondFactorView> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const found = await repos(ctx).secondFactors.find(user.id);
  const pending = found !== null && found.confirmedAt === null ? decryptFactor(ctx, found) : null;
  const uri = pending === null ? '' : oneTimeUri(pending, user.email);
  return {
    onSince: found?.confirmedAt ?? null,
    recoveryCodesLeft: found?.recoveryHashes.length ?? 0,
    isRequired: isSecondFactorRequired(user.role, ctx.appUrl),
    setup: pending === null ? null : { secret: pending, uri, qr: drawQr(uri) },
  };
}

/**
 * Starts the setup with a new secret.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; CONFLICT when it is already on
 */
export async function beginSecondFactor(ctx: Ctx): Promise<void> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const secret = oneTimeSecret(randomBytes(SECRET_BYTES));
  if (!(await repos(ctx).secondFactors.begin(user.id, encryptFactor(ctx, user.id, secret), ctx.now()))) {
    throw conflict('ALREADY_ON', SECOND_FACTOR_MESSAGES.on);
  }
}

async function recordAndNotify(
  ctx: Ctx,
  user: SignedInUser,
  action: string,
  mail: typeof secondFactorOnMail,
): Promise<void> {
  await recordAudit(ctx, { action, subjectId: user.id, before: {}, after: {} });
  await ctx.mailQueue.post(user.email, mail({ appUrl: ctx.appUrl, at: ctx.now(), timeZone: ctx.timeZone }));
}

/**
 * Completes the setup with the first code from the app. From then on signing in needs a code.
 * @returns the recovery codes, to be shown only this once
 * @throws AppError RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, RATE_LIMITED; CONFLICT when no setup was started
 */
export async function confirmSecondFactor(ctx: Ctx, input: CodeInput): Promise<string[]> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const { code } = parseInput(codeSchema, input);
  const found = await repos(ctx).secondFactors.find(user.id);
  if (found === null) throw conflict('ALREADY_OFF', SECOND_FACTOR_MESSAGES.off);
  if (found.confirmedAt !== null) throw conflict('ALREADY_ON', SECOND_FACTOR_MESSAGES.on);
  const secret = decryptFactor(ctx, found);
  const step = secret === null ? null : matchOneTimeCode(secret, code, ctx.now());
  await ctx.throttle.checkGuess(
    [{ rule: THROTTLE_RULES.secondFactor, who: user.id }],
    () => Promise.resolve(step !== null),
    wrongCode,
  );
  const codes = newRecoveryCodes();
  const first = { at: ctx.now(), step: step ?? 0, recoveryHashes: codes.hashes };
  return ctx.transaction(async () => {
    if (!(await repos(ctx).secondFactors.confirm(user.id, found.secret, first))) {
      throw conflict('CHANGED_MEANWHILE', SECOND_FACTOR_MESSAGES.stale);
    }
    await repos(ctx).users.setSecondFactor(user.id, ctx.now());
    await recordAndNotify(ctx, user, 'second-factor.on', secondFactorOnMail);
    return codes.shown;
  });
}

/**
 * Replaces the recovery codes. The old ones stop working.
 * @returns the new ones, to be shown only this once
 * @throws AppError RECENT_SIGN_IN_REQUIRED; CONFLICT without a second factor
 */
export async function renewRecoveryCodes(ctx: Ctx): Promise<string[]> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  const codes = newRecoveryCodes();
  return ctx.transaction(async () => {
    if (!(await repos(ctx).secondFactors.replaceRecoveryCodes(user.id, codes.hashes))) {
      throw conflict('ALREADY_OFF', SECOND_FACTOR_MESSAGES.off);
    }
    await recordAndNotify(ctx, user, 'second-factor.recovery-codes', recoveryCodesCreatedMail);
    return codes.shown;
  });
}

/**
 * Turns the second factor off. This requires the second factor itself.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; FORBIDDEN when the role needs one; CONFLICT when it is off; INVALID_INPUT
 * for a missing or wrong code; RATE_LIMITED
 */
export async function endSecondFactor(ctx: Ctx, input: TurnOffInput): Promise<void> {
  const user = authoriseRecent(ctx, 'second-factor.manage');
  if (isSecondFactorRequired(user.role, ctx.appUrl)) throw new AppError('FORBIDDEN', SECOND_FACTOR_REQUIRED);
  if (!(await needsCode(ctx, user.id))) throw conflict('ALREADY_OFF', SECOND_FACTOR_MESSAGES.off);
  if (input.passkey) await checkPasskey(ctx, user, parseInput(passkeySchema, input).passkey);
  else await checkCode(ctx, user, parseInput(codeSchema, input).code);
  await ctx.transaction(async () => {
    const wasOn = await repos(ctx).secondFactors.delete(user.id);
    if (!wasOn) throw conflict('ALREADY_OFF', SECOND_FACTOR_MESSAGES.off);
    await repos(ctx).users.setSecondFactor(user.id, null);
    await recordAndNotify(ctx, user, 'second-factor.off', secondFactorOffMail);
  });
}

/** Whether signing in to an account needs a code. */
export async function needsCode(ctx: Ctx, userId: string): Promise<boolean> {
  const factor = await repos(ctx).secondFactors.find(userId);
  return factor !== null && factor.confirmedAt !== null;
}

function refuseCode(message: string): AppError {
  return fieldError('code', message);
}

const wrongCode = () => refuseCode(SECOND_FACTOR_MESSAGES.wrong);

/** The owner of a code: an account, or its signed-in user. */
type CodeOwner = Pick<UserRecord, 'id' | 'email' | 'timeZone'>;

/**
 * Checks a second-factor code and uses it up.
 * @param onWrong called for a wrong code
 * @throws AppError INVALID_INPUT for a wrong or used code, RATE_LIMITED
 */
export async function checkCode(
  ctx: Ctx,
  user: CodeOwner,
  code: string,
  onWrong: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await ctx.throttle.checkGuess(
    [{ rule: THROTTLE_RULES.secondFactor, who: user.id }],
    async () => {
      if (await useCode(ctx, user, code)) return true;
      ctx.log.info({ userId: user.id, address: ctx.client.address }, 'second factor refused');
      await onWrong();
      return false;
    },
    wrongCode,
  );
}

/**
 * If the account has a second factor, checks the code entered with the password.
 * @throws AppError INVALID_INPUT for a missing, wrong or used code, RATE_LIMITED
 */
export async function checkCodeIfNeeded(ctx: Ctx, user: CodeOwner, code: string | undefined): Promise<void> {
  if (!(await needsCode(ctx, user.id))) return;
  if (!code) throw refuseCode(SECOND_FACTOR_MESSAGES.code);
  await checkCode(ctx, user, code);
}

/**
 * The same for what programs call, too: without a code the error says what is missing, as at sign-in.
 * @throws AppError SECOND_FACTOR_REQUIRED for a missing code; INVALID_INPUT for a wrong or used one; RATE_LIMITED
 */
export async function requireCode(ctx: Ctx, user: CodeOwner, code: string | undefined): Promise<void> {
  if (!code && (await needsCode(ctx, user.id)))
    throw new AppError('SECOND_FACTOR_REQUIRED', SECOND_FACTOR_MESSAGES.askCode);
  await checkCodeIfNeeded(ctx, user, code);
}

/**
 * Whether a code is correct for an account. A correct code is used up: an app code together with its time step and all
 * earlier ones, a recovery code alone.
 */
async function useCode(ctx: Ctx, user: CodeOwner, typed: string): Promise<boolean> {
  const recovery = parseRecoveryCode(typed);
  if (recovery !== null) return useRecoveryCode(ctx, user, recovery);
  const factor = await repos(ctx).secondFactors.find(user.id);
  if (factor?.confirmedAt == null) return false;
  const secret = decryptFactor(ctx, factor);
  const step = secret === null ? null : matchOneTimeCode(secret, typed, ctx.now());
  if (step === null || !(await repos(ctx).secondFactors.useStep(user.id, step))) return false;
  await encryptOldFactor(ctx, factor);
  return true;
}

function useRecoveryCode(ctx: Ctx, user: CodeOwner, code: string): Promise<boolean> {
  return ctx.transaction(async () => {
    const left = await repos(ctx).secondFactors.useRecoveryCode(user.id, hashRecoveryCode(code));
    if (left === null) return false;
    const { appUrl } = ctx;
    await recordAudit(ctx, {
      action: 'second-factor.recovery-code-used',
      subjectId: user.id,
      before: { left: left + 1 },
      after: { left },
    });
    const { timeZone } = user;
    await ctx.mailQueue.post(user.email, recoveryCodeUsedMail({ appUrl, at: ctx.now(), timeZone, left }));
    return true;
  });
}

/** The stored form of a recovery code. Its 80 random bits need no slow hash. @param code without hyphens, upper case */
function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(`recovery\n${code}`).digest('base64url');
}

/** New recovery codes: the form shown once, and the hashes to store. */
function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const codes = recoveryCodes(randomBytes(RECOVERY_CODES * RECOVERY_CODE_BYTES));
  return { shown: codes.map(formatRecoveryCode), hashes: codes.map(hashRecoveryCode) };
}

const purposeOf = (ownerId: string) => ({ purpose: 'second factor', ownerId });

/** Encrypts the secret of an authenticator app for storage. */
function encryptFactor(ctx: Ctx, ownerId: string, secret: string): string {
  return encryptSecret(ctx.secret, purposeOf(ownerId), secret);
}

/**
 * The secret that an account shares with an authenticator app, base 32. Null when the server's own secret has changed
 * since: then codes from the app no longer work, but recovery codes do.
 */
function decryptFactor(
  ctx: Ctx,
  { userId, secret }: Pick<SecondFactorRecord, 'userId' | 'secret'>,
): string | null {
  if (!isEncrypted(secret)) return secret;
  const plain = decryptSecret(ctx.secret, purposeOf(userId), secret);
  if (plain === null) ctx.log.error({ userId }, 'second factor encrypted with another SESSION_SECRET');
  return plain;
}

/** Encrypts a secret stored before secrets were encrypted. */
async function encryptOldFactor(
  ctx: Ctx,
  { userId, secret }: Pick<SecondFactorRecord, 'userId' | 'secret'>,
): Promise<void> {
  if (isEncrypted(secret)) return;
  await repos(ctx).secondFactors.replaceSecret(userId, secret, encryptFactor(ctx, userId, secret));
}
