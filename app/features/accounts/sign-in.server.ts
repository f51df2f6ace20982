import { isAdminRole } from '#app/domain/accounts/roles.ts';
import { isGone } from '#app/domain/accounts/deletion-grace.ts';
import { AppError } from '#app/domain/errors.ts';
import { ACCOUNT_MESSAGES, signInSchema, type SignInInput } from '#app/domain/accounts/account-schema.ts';
import { ADMIN_MESSAGES } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { SECOND_FACTOR_MESSAGES } from '#app/domain/accounts/second-factor-schema.ts';
import type { UserRecord } from '#models/index.server.ts';
import type { SignedIn } from './accounts.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { readDeviceToken } from './device-token.server.ts';
import { checkUnderThrottle } from './password-check.server.ts';
import { hashPassword, isWeakHash, verifyPassword } from './passwords.server.ts';
import {
  asksForCode,
  challengeForCode,
  completeSignIn,
  finishSignIn,
  type SignInStep,
} from './sign-in-steps.server.ts';
import { THROTTLE_RULES, type Bucket } from '#app/platform/access/throttle.server.ts';

/** What the browser brings along beside the form. */
export interface SignInBaggage {
  /** Its device token from an earlier sign-in. */
  deviceToken?: string | null;
  /** The token of the session it still has; it dies. */
  currentToken?: string | null;
}

/** Looked up where there is no account, so that the database is asked as often. */
const NOBODY = 'nobody';

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', ACCOUNT_MESSAGES.invalidCredentials);

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

/** Whose address and password these are. */
async function checkPassword(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
  baggage: SignInBaggage,
): Promise<UserRecord> {
  const { addresses, users } = ctx.repos;
  const userId = await addresses.findOwner(email);
  const hash = await users.findPasswordHash(userId ?? NOBODY);
  const buckets = bucketsFor(ctx, email, userId, baggage.deviceToken);
  try {
    await checkUnderThrottle(ctx, buckets, () => verifyPassword(hash, password), wrongCredentials);
  } catch (error) {
    ctx.log.info({ userId, address: ctx.client.address }, 'sign-in refused');
    throw error;
  }
  const user = userId === null ? null : await users.findById(userId);
  if (user === null || hash === null || isGone(user, ctx.now())) throw wrongCredentials();
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  if (isWeakHash(hash)) await users.replacePasswordHash(user.id, hash, await hashPassword(password));
  return user;
}

async function begin(
  ctx: Ctx,
  input: SignInInput,
  baggage: SignInBaggage,
  admit: (user: UserRecord) => void,
): Promise<SignInStep> {
  authorise(ctx.actor, 'session.start');
  const { email, password, remember } = parseInput(signInSchema, input);
  const user = await checkPassword(ctx, { email, password }, baggage);
  admit(user);
  if (await asksForCode(ctx, user.id)) {
    return { next: 'code', challenge: await challengeForCode(ctx, user.id, remember) };
  }
  const { currentToken } = baggage;
  return { next: 'done', signedIn: await finishSignIn(ctx, user, { remember, currentToken }) };
}

/**
 * The first step of a sign-in: address and password. With a second factor it opens nothing yet.
 * @throws AppError INVALID_INPUT; INVALID_CREDENTIALS for a wrong password and an unknown address alike;
 * RATE_LIMITED; SUSPENDED
 */
export function beginSignIn(ctx: Ctx, input: SignInInput, baggage: SignInBaggage = {}): Promise<SignInStep> {
  return begin(ctx, input, baggage, () => undefined);
}

/**
 * The same at the door of the admin area, which opens to administrators alone: nobody else gets a session there.
 * @throws AppError as {@link beginSignIn}; FORBIDDEN for the right password of another account
 */
export function beginAdminSignIn(
  ctx: Ctx,
  input: SignInInput,
  baggage: SignInBaggage = {},
): Promise<SignInStep> {
  return begin(ctx, input, baggage, (user) => {
    if (isAdminRole(user.role)) return;
    ctx.log.info({ userId: user.id, address: ctx.client.address }, 'admin sign-in refused');
    throw new AppError('FORBIDDEN', ADMIN_MESSAGES.denied);
  });
}

/**
 * Signs in with address and password, and where the account has a second factor with `code`, in one call.
 * @throws AppError as {@link beginSignIn} and {@link completeSignIn}; SECOND_FACTOR_REQUIRED when a code is missing
 */
export async function signIn(
  ctx: Ctx,
  input: SignInInput & { code?: string },
  baggage: SignInBaggage = {},
): Promise<SignedIn> {
  const step = await beginSignIn(ctx, input, baggage);
  if (step.next === 'done') return step.signedIn;
  if (!input.code) throw new AppError('SECOND_FACTOR_REQUIRED', SECOND_FACTOR_MESSAGES.askCode);
  return completeSignIn(ctx, step.challenge, { code: input.code }, baggage.currentToken);
}
