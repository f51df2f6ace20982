import { AppError } from '#app/domain/errors.ts';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import {
  codeSchema,
  SECOND_FACTOR_MESSAGES,
  type CodeInput,
} from '#app/domain/accounts/second-factor-schema.ts';
import type { UserRecord } from '#models/index.server.ts';
import { signedIn, type SignedIn } from './accounts.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { checkUnderThrottle } from './password-check.server.ts';
import { useCode, wrongCode } from './second-factor-check.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { endSignIn } from './session-revocation.server.ts';
import { findSignIn } from './sessions.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/** How a sign-in goes on after the password: it is done, or a code is asked for. */
export type SignInStep =
  | { next: 'done'; signedIn: SignedIn }
  /** `challenge` stands for the password that was right. It opens nothing by itself. */
  | { next: 'code'; challenge: string };

const PURPOSE = 'sign-in';
/** How long the code may take. */
const CODE_MS = 10 * 60_000;
/** After so many wrong codes the password is asked for again. */
const MAX_FAILURES = 5;

/** Ends the session the browser had; the same user's goes on under the new secret instead. */
async function replaceSession(
  ctx: Ctx,
  userId: string,
  token: string | null | undefined,
): Promise<string | undefined> {
  const old = token ? await findSignIn(ctx, token) : null;
  if (old === null) return undefined;
  if (old.userId !== userId) {
    await endSignIn(ctx, old.userId, old.signInId);
    return undefined;
  }
  await ctx.repos.sessions.removeToken(userId, old.tokenHash);
  return old.signInId;
}

/** The last step: the session begins, in place of the one the browser had. */
export async function finishSignIn(
  ctx: Ctx,
  user: UserRecord,
  options: { remember: boolean; currentToken?: string | null | undefined },
): Promise<SignedIn> {
  const signInId = await replaceSession(ctx, user.id, options.currentToken);
  await ctx.repos.users.recordSignIn(user.id, ctx.now());
  ctx.log.info({ userId: user.id }, 'signed in');
  return signedIn(ctx, user.id, { remember: options.remember, ...(signInId !== undefined && { signInId }) });
}

/** Whether signing in to an account asks for a code. */
export async function asksForCode(ctx: Ctx, userId: string): Promise<boolean> {
  const factor = await ctx.repos.secondFactors.find(userId);
  return factor !== null && factor.confirmedAt !== null;
}

/** Keeps in mind, for ten minutes, that the password was right. @returns what the browser keeps for it */
export async function challengeForCode(ctx: Ctx, userId: string, remember: boolean): Promise<string> {
  const now = ctx.now();
  const challenge = newToken();
  await ctx.repos.oneTimeSecrets.insert({
    hash: hashToken(challenge),
    userId,
    purpose: PURPOSE,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CODE_MS),
    failures: 0,
    facts: { remember },
  });
  return challenge;
}

const startAgain = () => new AppError('NOT_FOUND', SECOND_FACTOR_MESSAGES.again);

async function findChallenge(ctx: Ctx, challenge: string) {
  const found = isToken(challenge)
    ? await ctx.repos.oneTimeSecrets.find(hashToken(challenge), PURPOSE, ctx.now())
    : null;
  if (found === null || found.failures >= MAX_FAILURES) throw startAgain();
  return found;
}

/**
 * Whether a challenge still waits for its code.
 * @throws AppError NOT_FOUND when it is over, was used or never was
 */
export async function checkChallenge(ctx: Ctx, challenge: string): Promise<void> {
  authorise(ctx.actor, 'session.start');
  await findChallenge(ctx, challenge);
}

/**
 * The second step of a sign-in: a code of the app, or a recovery code.
 * @param currentToken the secret of the session the browser has; it dies
 * @throws AppError INVALID_INPUT for a wrong or used code, RATE_LIMITED, SUSPENDED; NOT_FOUND when the challenge is
 * over, and the password is asked for again
 */
export async function completeSignIn(
  ctx: Ctx,
  challenge: string,
  input: CodeInput,
  currentToken?: string | null,
): Promise<SignedIn> {
  authorise(ctx.actor, 'session.start');
  const { code } = parseInput(codeSchema, input);
  const { userId } = await findChallenge(ctx, challenge);
  const user = await ctx.repos.users.findById(userId);
  if (user === null) throw startAgain();
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  await checkUnderThrottle(
    ctx,
    [{ rule: THROTTLE_RULES.secondFactor, who: userId }],
    async () => {
      if (await useCode(ctx, user, code)) return true;
      await ctx.repos.oneTimeSecrets.countFailure(hashToken(challenge), PURPOSE, ctx.now());
      ctx.log.info({ userId, address: ctx.client.address }, 'second step refused');
      return false;
    },
    wrongCode,
  );
  const taken = await ctx.repos.oneTimeSecrets.take(hashToken(challenge), PURPOSE, ctx.now());
  if (taken === null) throw startAgain();
  return finishSignIn(ctx, user, { remember: taken.facts['remember'] === true, currentToken });
}
