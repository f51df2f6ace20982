import { isGone } from '#app/domain/accounts/index.ts';
import { AppError } from '#app/domain/errors.ts';
import { ACCOUNT_MESSAGES, signInSchema, type SignInInput } from '#app/domain/schemas/account.ts';
import { parseInput } from '#app/domain/schemas/parse-input.ts';
import { signedIn, type SignedIn } from './accounts.server.ts';
import { authorise } from './authorise.server.ts';
import type { Ctx } from './context.server.ts';
import { readDeviceToken } from './device-token.server.ts';
import { checkUnderThrottle } from './password-check.server.ts';
import { hashPassword, isWeakHash, verifyPassword } from './passwords.server.ts';
import { endSignIn } from './session-ending.server.ts';
import { findSignIn } from './sessions.server.ts';
import { THROTTLE_RULES, type Bucket } from './throttle.server.ts';

/** What the browser brings along beside the form. */
export interface SignInBaggage {
  /** Its device token from an earlier sign-in. */
  deviceToken?: string | null;
  /** The token of the session it still has; it dies. */
  currentToken?: string | null;
}

/** Looked up where there is no account, so that the database is asked as often. */
const NOBODY = 'nobody';

/**
 * What a failure counts against. A browser that has signed in to the account before has a count of its own, so that
 * a stranger's failures elsewhere never keep the owner out.
 */
function bucketsFor(
  ctx: Ctx,
  email: string,
  userId: string | null,
  deviceToken: SignInBaggage['deviceToken'],
): Bucket[] {
  const device = userId === null ? null : readDeviceToken(ctx.secret, userId, deviceToken);
  if (device !== null) return [{ rule: THROTTLE_RULES.signInDevice, who: device.id }];
  return [
    { rule: THROTTLE_RULES.signInAccount, who: email },
    { rule: THROTTLE_RULES.signInClient, who: ctx.client.address },
  ];
}

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

/**
 * Signs in with address and password.
 * @throws AppError INVALID_INPUT; INVALID_CREDENTIALS for a wrong password and an unknown address alike;
 * RATE_LIMITED; SUSPENDED
 */
export async function signIn(ctx: Ctx, input: SignInInput, baggage: SignInBaggage = {}): Promise<SignedIn> {
  authorise(ctx.actor, 'session.start');
  const { email, password, remember } = parseInput(signInSchema, input);
  const { addresses, users } = ctx.repos;
  const userId = await addresses.findOwner(email);
  const hash = await users.findPasswordHash(userId ?? NOBODY);
  try {
    await checkUnderThrottle(
      ctx,
      bucketsFor(ctx, email, userId, baggage.deviceToken),
      () => verifyPassword(hash, password),
      () => new AppError('INVALID_CREDENTIALS', ACCOUNT_MESSAGES.invalidCredentials),
    );
  } catch (error) {
    ctx.log.info({ userId, address: ctx.client.address }, 'sign-in refused');
    throw error;
  }
  const user = userId === null ? null : await users.findById(userId);
  if (user === null || hash === null || isGone(user, ctx.now()))
    throw new AppError('INVALID_CREDENTIALS', ACCOUNT_MESSAGES.invalidCredentials);
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  if (isWeakHash(hash)) await users.replacePasswordHash(user.id, hash, await hashPassword(password));
  const signInId = await replaceSession(ctx, user.id, baggage.currentToken);
  await users.recordSignIn(user.id, ctx.now());
  ctx.log.info({ userId }, 'signed in');
  return signedIn(ctx, user.id, { remember, ...(signInId !== undefined && { signInId }) });
}
