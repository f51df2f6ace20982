import { ACCOUNT_MESSAGES, signInSchema, type SignInInput } from '#app/domain/accounts/account-schema.ts';
import { isGone, isAdminRole } from '#app/domain/accounts/account.ts';
import {
  codeSchema,
  SECOND_FACTOR_MESSAGES,
  type CodeInput,
} from '#app/domain/accounts/second-factor-schema.ts';
import { ADMIN_MESSAGES } from '#app/domain/admin/admin-schema.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { MINUTE_MS } from '#app/domain/time/durations.ts';
import type { UserRecord } from '#models/index.server.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES, type Bucket } from '#app/platform/access/throttle.server.ts';
import {
  createOneTimeSecret,
  findOneTimeSecret,
  takeOneTimeSecret,
} from '#app/platform/secrets/one-time-secrets.server.ts';
import { hashToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { makeDeviceToken, readDeviceToken } from './device-token.server.ts';
import { hashPassword, isWeakHash, verifyPassword } from './passwords.server.ts';
import { needsCode, useCode, wrongCode } from './second-factor.server.ts';
import { endSignIn, findRunningSession, startSession, type StartedSession } from './sessions.server.ts';

/** What a sign-in or registration gives. */
export interface SignedIn extends StartedSession {
  user: AccountView;
  /** For the browser to keep beyond the session and to send with its next sign-in. */
  deviceToken: string;
}

/** How a sign-in continues after the password: it is done, or a code is needed. */
export type SignInStep =
  | { next: 'done'; signedIn: SignedIn }
  /** `challenge` proves that the password was right. It opens nothing by itself. */
  | { next: 'code'; challenge: string };

/** What the browser sends along beside the form. */
export interface BrowserTokens {
  /** Its device token from an earlier sign-in. */
  deviceToken?: string | null;
  /** The token of the session it still has, which the sign-in ends. */
  currentToken?: string | null;
}

/**
 * Signs in with address and password, and where the account has a second factor with `code`, in one call.
 * @throws AppError as {@link beginSignIn} and {@link completeSignIn}; SECOND_FACTOR_REQUIRED when a code is missing
 */
export async function signIn(
  ctx: Ctx,
  input: SignInInput & { code?: string },
  tokens: BrowserTokens = {},
): Promise<SignedIn> {
  const step = await beginSignIn(ctx, input, tokens);
  if (step.next === 'done') return step.signedIn;
  if (!input.code) throw new AppError('SECOND_FACTOR_REQUIRED', SECOND_FACTOR_MESSAGES.askCode);
  return completeSignIn(ctx, step.challenge, { code: input.code }, tokens.currentToken);
}

/**
 * The first step of a sign-in: address and password. With a second factor it opens nothing yet.
 * @throws AppError INVALID_INPUT; INVALID_CREDENTIALS for a wrong password and an unknown address alike;
 * RATE_LIMITED; SUSPENDED
 */
export function beginSignIn(ctx: Ctx, input: SignInInput, tokens: BrowserTokens = {}): Promise<SignInStep> {
  return begin(ctx, input, tokens, () => undefined);
}

/**
 * The first step of a sign-in to the admin area. It gives a session to administrators alone.
 * @throws AppError as {@link beginSignIn}; FORBIDDEN for the right password of another account
 */
export function beginAdminSignIn(
  ctx: Ctx,
  input: SignInInput,
  tokens: BrowserTokens = {},
): Promise<SignInStep> {
  return begin(ctx, input, tokens, (user) => {
    if (isAdminRole(user.role)) return;
    ctx.log.info({ userId: user.id, address: ctx.client.address }, 'admin sign-in refused');
    throw new AppError('FORBIDDEN', ADMIN_MESSAGES.denied);
  });
}

async function begin(
  ctx: Ctx,
  input: SignInInput,
  tokens: BrowserTokens,
  admit: (user: UserRecord) => void,
): Promise<SignInStep> {
  authorise(ctx.actor, 'session.start');
  const { email, password, remember } = parseInput(signInSchema, input);
  const user = await checkCredentials(ctx, { email, password }, tokens);
  admit(user);
  if (await needsCode(ctx, user.id)) {
    const challenge = await createOneTimeSecret(ctx, {
      userId: user.id,
      purpose: CHALLENGE,
      lifeMs: CHALLENGE_MS,
      facts: { remember },
    });
    return { next: 'code', challenge };
  }
  const { currentToken } = tokens;
  return { next: 'done', signedIn: await finishSignIn(ctx, user, { remember, currentToken }) };
}

/** Looked up where there is no account, so that the database does the same work. */
const NOBODY = 'nobody';

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', ACCOUNT_MESSAGES.invalidCredentials);

/** The account with this address and password. A hash weaker than today's is replaced on the way. */
async function checkCredentials(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
  tokens: BrowserTokens,
): Promise<UserRecord> {
  const { addresses, users } = ctx.repos;
  const userId = await addresses.findOwner(email);
  const hash = await users.findPasswordHash(userId ?? NOBODY);
  const buckets = bucketsFor(ctx, email, userId, tokens.deviceToken);
  try {
    await ctx.throttle.checkGuess(buckets, () => verifyPassword(hash, password), wrongCredentials);
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

/**
 * What a failure counts against. A browser that has signed in to the account before has a count of its own, so that
 * a stranger's failures elsewhere never lock the owner out.
 */
function bucketsFor(
  ctx: Ctx,
  email: string,
  userId: string | null,
  deviceToken: BrowserTokens['deviceToken'],
): Bucket[] {
  const device = userId === null ? null : readDeviceToken(ctx.secret, userId, deviceToken);
  if (device !== null) return [{ rule: THROTTLE_RULES.signInDevice, who: device.id }];
  return [
    { rule: THROTTLE_RULES.signInAccount, who: email },
    { rule: THROTTLE_RULES.signInClient, who: ctx.client.address },
  ];
}

const CHALLENGE = 'sign-in';
/** How long entering the code may take. */
const CHALLENGE_MS = 10 * MINUTE_MS;
/** After this many wrong codes the password has to be entered again. */
const MAX_FAILURES = 5;

const startAgain = () => new AppError('NOT_FOUND', SECOND_FACTOR_MESSAGES.again);

async function getChallenge(ctx: Ctx, challenge: string) {
  const found = await findOneTimeSecret(ctx, CHALLENGE, challenge);
  if (found === null || found.failures >= MAX_FAILURES) throw startAgain();
  return found;
}

/**
 * Checks that a challenge still waits for its code.
 * @throws AppError NOT_FOUND when it has expired, was used or is not one of ours
 */
export async function checkChallenge(ctx: Ctx, challenge: string): Promise<void> {
  authorise(ctx.actor, 'session.start');
  await getChallenge(ctx, challenge);
}

/**
 * The second step of a sign-in: a code of the app, or a recovery code.
 * @param currentToken the token of the session the browser still has, which the sign-in ends
 * @throws AppError INVALID_INPUT for a wrong or used code, RATE_LIMITED, SUSPENDED; NOT_FOUND when the password has to
 * be entered again
 */
export async function completeSignIn(
  ctx: Ctx,
  challenge: string,
  input: CodeInput,
  currentToken?: string | null,
): Promise<SignedIn> {
  authorise(ctx.actor, 'session.start');
  const { code } = parseInput(codeSchema, input);
  const { userId } = await getChallenge(ctx, challenge);
  const user = await ctx.repos.users.findById(userId);
  if (user === null) throw startAgain();
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  await ctx.throttle.checkGuess(
    [{ rule: THROTTLE_RULES.secondFactor, who: userId }],
    async () => {
      if (await useCode(ctx, user, code)) return true;
      await ctx.repos.oneTimeSecrets.countFailure(hashToken(challenge), CHALLENGE, ctx.now());
      ctx.log.info({ userId, address: ctx.client.address }, 'second step refused');
      return false;
    },
    wrongCode,
  );
  const taken = await takeOneTimeSecret(ctx, CHALLENGE, challenge);
  if (taken === null) throw startAgain();
  return finishSignIn(ctx, user, { remember: taken.facts['remember'] === true, currentToken });
}

/** The last step: the session starts, in place of the one the browser had. */
async function finishSignIn(
  ctx: Ctx,
  user: UserRecord,
  options: { remember: boolean; currentToken?: string | null | undefined },
): Promise<SignedIn> {
  const signInId = await replaceSession(ctx, user.id, options.currentToken);
  await ctx.repos.users.recordSignIn(user.id, ctx.now());
  ctx.log.info({ userId: user.id }, 'signed in');
  return signedIn(ctx, user.id, { remember: options.remember, ...(signInId !== undefined && { signInId }) });
}

/** Ends the session the browser had. A sign-in of the same user continues: @returns its id */
async function replaceSession(
  ctx: Ctx,
  userId: string,
  token: string | null | undefined,
): Promise<string | undefined> {
  const old = token ? await findRunningSession(ctx, token) : null;
  if (old === null) return undefined;
  if (old.userId !== userId) {
    await endSignIn(ctx, old.userId, old.signInId);
    return undefined;
  }
  await ctx.repos.sessions.removeToken(userId, old.tokenHash);
  return old.signInId;
}

/** Starts a session of an account whose owner has proved who they are. */
export async function signedIn(
  ctx: Ctx,
  userId: string,
  session: { remember: boolean; signInId?: string },
): Promise<SignedIn> {
  const started = await startSession(ctx, userId, session);
  const user = await ctx.repos.users.findById(userId);
  if (user === null) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return { ...started, user: accountView(user, ctx.now()), deviceToken: makeDeviceToken(ctx.secret, userId) };
}
