import { ACCOUNT_MESSAGES, signInSchema, type SignInInput } from '#app/domain/accounts/account-schema.ts';
import { ACCESS_MESSAGES } from '#app/domain/messages.ts';
import { isGone, isAdminRole } from '#app/domain/accounts/account.ts';
import { codeSchema, SECOND_FACTOR_MESSAGES, type CodeInput } from '#app/domain/accounts/second-factor.ts';
import {
  PASSKEY_MESSAGES,
  passkeySchema,
  passkeySignInSchema,
  type PasskeySignInInput,
} from '#app/domain/accounts/passkey-schema.ts';
import { browserName } from '#app/domain/accounts/browser-name.ts';
import { newSignInMail } from '#app/domain/accounts/account-mails.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import type { Credential, IdentityRecord, UserRecord } from '#models/index.server.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES, type Bucket } from '#app/platform/access/throttle.server.ts';
import {
  createOneTimeSecret,
  findOneTimeSecret,
  takeOneTimeSecret,
  hashToken,
} from '#app/platform/secrets/secret-tokens.server.ts';
import { addressMark, makeDeviceToken, readDeviceToken } from './known-client.server.ts';
import { checkPasskey, checkSignInPasskey, findPasskey, optionsOfAccount } from './passkeys.server.ts';
import { inPasswordQueue } from './password-queue.server.ts';
import { hashPassword, isPasswordOf, isWeakHash, requirePasswords } from './passwords.server.ts';
import { checkCode, needsCode } from './second-factor.server.ts';
import { endSignIn, findRunningSession, startSession, type StartedSession } from './sessions.server.ts';
import { repos } from './repositories.server.ts';

/** The result of a sign-in or registration. */
export interface SignedIn extends StartedSession {
  user: AccountView;
  /** The browser keeps it beyond the session and sends it with its next sign-in. */
  deviceToken: string;
}

/** The next step after the password: the sign-in is done, or a code is needed. */
export type SignInStep =
  | { next: 'done'; signedIn: SignedIn }
  /** `challenge` proves that the password was correct. On its own it gives no access. */
  | { next: 'code'; challenge: string };

/** Tokens that the browser sends in addition to the form. */
export interface BrowserTokens {
  /** Its device token from an earlier sign-in. */
  deviceToken?: string | null;
  /** The token of its current session, which the sign-in ends. */
  currentToken?: string | null;
}

/**
 * Signs in with address and password, plus `code` if the account has a second factor, in one call.
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
 * The first step of a sign-in: address and password. With a second factor it gives no access yet.
 * @throws AppError INVALID_INPUT; INVALID_CREDENTIALS for a wrong password and an unknown address alike;
 * RATE_LIMITED; SUSPENDED
 */
export function beginSignIn(ctx: Ctx, input: SignInInput, tokens: BrowserTokens = {}): Promise<SignInStep> {
  return begin(ctx, input, tokens, () => undefined);
}

/**
 * The first step of a sign-in to the admin area. Only administrators get a session.
 * @throws AppError as {@link beginSignIn}; FORBIDDEN for the correct password of another account
 */
export function beginAdminSignIn(
  ctx: Ctx,
  input: SignInInput,
  tokens: BrowserTokens = {},
): Promise<SignInStep> {
  return begin(ctx, input, tokens, (user) => admitAdmin(ctx, user));
}

function admitAdmin(ctx: Ctx, user: UserRecord): void {
  if (isAdminRole(user.role)) return;
  ctx.log.info({ userId: user.id, address: ctx.client.address }, 'admin sign-in refused');
  throw new AppError('FORBIDDEN', ACCESS_MESSAGES.adminsOnly);
}

async function begin(
  ctx: Ctx,
  input: SignInInput,
  tokens: BrowserTokens,
  admit: (user: UserRecord) => void,
): Promise<SignInStep> {
  authorise(ctx.actor, 'session.start');
  const { email, password, remember } = parseInput(signInSchema, input);
  const proof = await checkCredentials(ctx, { email, password }, tokens);
  admit(proof.user);
  return afterFirstStep(ctx, proof, remember, tokens);
}

/** Asks for the code of an account that has a second factor; signs in to any other. */
async function afterFirstStep(
  ctx: Ctx,
  proof: Proof,
  remember: boolean,
  { currentToken }: BrowserTokens,
): Promise<SignInStep> {
  const { user, revision, isKnown } = proof;
  if (await needsCode(ctx, user.id)) {
    const challenge = await createOneTimeSecret(ctx, {
      userId: user.id,
      purpose: CHALLENGE,
      lifeMs: CHALLENGE_MS,
      facts: { remember, revision, isKnown },
    });
    return { next: 'code', challenge };
  }
  return { next: 'done', signedIn: await finishSignIn(ctx, proof, { remember, currentToken }) };
}

/**
 * The first step of a sign-in by an identity at a provider, in place of the password: a second factor is still asked for.
 * @param identity of an account, which the provider just confirmed
 * @throws AppError INVALID_CREDENTIALS when it was unlinked or the account changed meanwhile; RATE_LIMITED; SUSPENDED
 */
export async function beginSignInByIdentity(
  ctx: Ctx,
  { userId, hash }: Pick<IdentityRecord, 'userId' | 'hash'>,
  tokens: BrowserTokens = {},
): Promise<SignInStep> {
  authorise(ctx.actor, 'session.start');
  const { users, identities } = repos(ctx);
  const credential = await users.findCredential(userId);
  const user = await users.find(userId);
  if (user === null || credential === null || isGone(user, ctx.now())) throw wrongCredentials();
  await ctx.throttle.take({ rule: THROTTLE_RULES.signIns, who: user.email });
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  await identities.recordUse(userId, hash, ctx.now());
  const isKnown = knownClient(ctx, userId, credential, tokens.deviceToken) !== null;
  const stillHolds = () => identities.isThere(userId, hash);
  return afterFirstStep(ctx, { user, revision: credential.revision, isKnown, stillHolds }, false, tokens);
}

/**
 * Signs in with a passkey alone. Its owner unlocked it, so it replaces both the password and the second factor.
 * @throws AppError INVALID_INPUT, the same whatever is wrong with it; RATE_LIMITED; SUSPENDED
 */
export function signInWithPasskey(
  ctx: Ctx,
  input: PasskeySignInInput,
  tokens: BrowserTokens = {},
): Promise<SignInStep> {
  return enterByPasskey(ctx, input, tokens, () => undefined);
}

/**
 * Signs in to the admin area with a passkey alone. Only administrators get a session.
 * @throws AppError as {@link signInWithPasskey}; FORBIDDEN for the passkey of another account
 */
export function signInAdminWithPasskey(
  ctx: Ctx,
  input: PasskeySignInInput,
  tokens: BrowserTokens = {},
): Promise<SignInStep> {
  return enterByPasskey(ctx, input, tokens, (user) => admitAdmin(ctx, user));
}

async function enterByPasskey(
  ctx: Ctx,
  input: PasskeySignInInput,
  tokens: BrowserTokens,
  admit: (user: UserRecord) => void,
): Promise<SignInStep> {
  authorise(ctx.actor, 'session.start');
  const { passkey, remember } = parseInput(passkeySignInSchema, input);
  const { users, passkeys } = repos(ctx);
  const refused = () => new AppError('INVALID_INPUT', PASSKEY_MESSAGES.refused);
  // Read before the check, so that a password change in the meantime is noticed.
  const named = await findPasskey(ctx, passkey);
  const credential = await users.findCredential(named?.record.userId ?? NOBODY);
  const { userId, hash } = await checkSignInPasskey(ctx, named);
  const user = await users.find(userId);
  if (user !== null) await ctx.throttle.take({ rule: THROTTLE_RULES.signIns, who: user.email });
  if (user === null || credential === null || isGone(user, ctx.now())) throw refused();
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  admit(user);
  const isKnown = knownClient(ctx, userId, credential, tokens.deviceToken) !== null;
  const stillHolds = () => passkeys.isThere(userId, hash);
  const proof = { user, revision: credential.revision, isKnown, stillHolds };
  const { currentToken } = tokens;
  return { next: 'done', signedIn: await finishSignIn(ctx, proof, { remember, currentToken }) };
}

/** Looked up when there is no account, so that the database does the same work. */
const NOBODY = 'nobody';

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', ACCOUNT_MESSAGES.invalidCredentials);

/** The account whose address and password were verified, and the revision of both. */
interface Proof {
  user: UserRecord;
  revision: number;
  /** This browser or this network address was used for the account before. */
  isKnown: boolean;
  /** Whether the other proof, such as a passkey, is still valid; checked again in the act that writes the session. */
  stillHolds?: () => Promise<boolean>;
}

/** The account with this address and password. Also replaces a hash weaker than the current cost. */
async function checkCredentials(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
  tokens: BrowserTokens,
): Promise<Proof> {
  const { addresses, users } = repos(ctx);
  const userId = await addresses.findOwner(email);
  const credential = await users.findCredential(userId ?? NOBODY);
  const hash = credential?.passwordHash ?? null;
  const known = userId && credential ? knownClient(ctx, userId, credential, tokens.deviceToken) : null;
  const buckets = bucketsFor(ctx, email, userId ?? NOBODY, known);
  const successes = { rule: THROTTLE_RULES.signIns, who: email };
  const caller = { address: ctx.client.address, account: email };
  try {
    await ctx.throttle.check([...buckets, successes]);
    // Checked again and counted while it is its turn: of many sign-ins at once only those within the limits cost any work.
    await inPasswordQueue(caller, async () => {
      await ctx.throttle.check([successes]);
      await ctx.throttle.checkGuess(buckets, () => isPasswordOf(hash, password), wrongCredentials);
      await ctx.throttle.take(successes);
    });
  } catch (error) {
    ctx.log.info({ userId, address: ctx.client.address }, 'sign-in refused');
    throw error;
  }
  const user = userId === null ? null : await users.find(userId);
  // An address that is being changed right now is still claimed but no longer the account's.
  if (user === null || credential?.email !== email || isGone(user, ctx.now())) throw wrongCredentials();
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  // Said only to who knows the password, so that nobody learns which addresses are administrators'.
  requirePasswords(ctx, user.role);
  const { passwordHash, revision } = credential;
  if (passwordHash !== null && isWeakHash(passwordHash))
    await users.replacePasswordHash(user.id, passwordHash, await hashPassword(caller, password));
  return { user, revision, isKnown: known !== null };
}

/** What identifies a known browser, or the known network address of a script; null for strangers. */
function knownClient(
  ctx: Ctx,
  userId: string,
  { revision, knownAddresses }: Credential,
  deviceToken: BrowserTokens['deviceToken'],
): string | null {
  const mark = addressMark(ctx, userId);
  return (
    readDeviceToken(ctx.secret, { userId, revision }, deviceToken) ??
    (knownAddresses.includes(mark) ? mark : null)
  );
}

/**
 * The limits that a failure counts against. Browsers that have signed in to the account before, and network addresses it
 * was used from, have their own limits, so that a stranger's failures never lock the owner out. They also share one limit,
 * since such a browser may have been stolen.
 */
function bucketsFor(ctx: Ctx, email: string, userId: string, known: string | null): Bucket[] {
  const client = { rule: THROTTLE_RULES.signInClient, who: ctx.client.address };
  if (known === null) return [{ rule: THROTTLE_RULES.signInAccount, who: email }, client];
  return [
    { rule: THROTTLE_RULES.signInDevice, who: `${userId} ${known}` },
    { rule: THROTTLE_RULES.signInDevices, who: userId },
    client,
  ];
}

const CHALLENGE = 'sign-in';
/** How long entering the code may take. */
const CHALLENGE_MS = 10 * MINUTE_MS;
/** After this many wrong codes the password must be entered again. */
const MAX_FAILURES = 5;

const startAgain = () => new AppError('NOT_FOUND', SECOND_FACTOR_MESSAGES.again);

async function getChallenge(ctx: Ctx, challenge: string) {
  const found = await findOneTimeSecret(ctx, CHALLENGE, challenge);
  if (found === null || found.failures >= MAX_FAILURES) throw startAgain();
  return found;
}

/**
 * Checks that a challenge is still waiting for its code.
 * @returns whether a passkey can be used instead
 * @throws AppError NOT_FOUND when it has expired, was used or is not one of ours
 */
export async function checkChallenge(ctx: Ctx, challenge: string): Promise<{ hasPasskeys: boolean }> {
  authorise(ctx.actor, 'session.start');
  const { userId } = await getChallenge(ctx, challenge);
  return { hasPasskeys: (await repos(ctx).passkeys.list(userId)).length > 0 };
}

/**
 * Options for the browser to do the second step with a passkey of the account whose password was correct.
 * @throws AppError NOT_FOUND when the challenge has expired, was used or is not one of ours; RATE_LIMITED
 */
export async function secondStepPasskeyOptions(ctx: Ctx, challenge: string) {
  authorise(ctx.actor, 'session.start');
  const { userId } = await getChallenge(ctx, challenge);
  return optionsOfAccount(ctx, userId);
}

/**
 * The second step of a sign-in: a code from the app, or a recovery code.
 * @param currentToken the token of the browser's current session, which the sign-in ends
 * @throws AppError INVALID_INPUT for a wrong or used code, RATE_LIMITED, SUSPENDED; NOT_FOUND when the password must be
 * entered again
 */
export async function completeSignIn(
  ctx: Ctx,
  challenge: string,
  input: CodeInput,
  currentToken?: string | null,
): Promise<SignedIn> {
  authorise(ctx.actor, 'session.start');
  const { code } = parseInput(codeSchema, input);
  return secondStep(ctx, challenge, currentToken, (user, onWrong) => checkCode(ctx, user, code, onWrong));
}

/**
 * The second step of a sign-in with one of the account's passkeys.
 * @throws AppError as {@link completeSignIn}
 */
export async function completeSignInWithPasskey(
  ctx: Ctx,
  challenge: string,
  input: { passkey: string },
  currentToken?: string | null,
): Promise<SignedIn> {
  authorise(ctx.actor, 'session.start');
  const { passkey } = parseInput(passkeySchema, input);
  return secondStep(ctx, challenge, currentToken, (user) => checkPasskey(ctx, user, passkey));
}

async function secondStep(
  ctx: Ctx,
  challenge: string,
  currentToken: string | null | undefined,
  check: (user: UserRecord, onWrong: () => Promise<void>) => Promise<void>,
): Promise<SignedIn> {
  const { userId } = await getChallenge(ctx, challenge);
  const user = await repos(ctx).users.find(userId);
  if (user === null) throw startAgain();
  if (user.suspendedAt !== null) throw new AppError('SUSPENDED', ACCOUNT_MESSAGES.suspended);
  await check(user, async () => {
    await repos(ctx).oneTimeSecrets.countFailure(hashToken(challenge), CHALLENGE, ctx.now());
  });
  const taken = await takeOneTimeSecret(ctx, CHALLENGE, challenge);
  if (taken === null) throw startAgain();
  const { remember, revision, isKnown } = taken.facts;
  if (typeof revision !== 'number') throw startAgain();
  const proof = { user, revision, isKnown: isKnown === true };
  return finishSignIn(ctx, proof, { remember: remember === true, currentToken });
}

/** The last step: starts the session, which replaces the one the browser had. */
async function finishSignIn(
  ctx: Ctx,
  { user, revision, isKnown, stillHolds }: Proof,
  options: { remember: boolean; currentToken?: string | null | undefined },
): Promise<SignedIn> {
  const { remember } = options;
  const started = await ctx.transaction(async () => {
    const signInId = await replaceSession(ctx, user.id, options.currentToken);
    const session = await startSession(ctx, user.id, {
      remember,
      revision,
      stillHolds,
      ...(signInId !== undefined && { signInId }),
    });
    await repos(ctx).users.addKnownAddress(user.id, addressMark(ctx, user.id));
    if (isKnown) return session;
    const { appUrl, client } = ctx;
    const browser = browserName(client.userAgent);
    const at = { at: ctx.now(), timeZone: user.timeZone };
    await ctx.mailQueue.post(user.email, newSignInMail({ appUrl, ...at, browser, address: client.address }));
    return session;
  });
  ctx.log.info({ userId: user.id }, 'signed in');
  return withAccount(ctx, user.id, { ...started, revision });
}

/** Ends the session the browser had. @returns its sign-in id if it belongs to the same user, so that it continues */
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
  await repos(ctx).sessions.deleteToken(userId, old.tokenHash);
  return old.signInId;
}

/** Starts a session for an account whose owner has proved who they are. */
export async function signedIn(
  ctx: Ctx,
  userId: string,
  session: { remember: boolean; revision: number; signInId?: string },
): Promise<SignedIn> {
  const started = await startSession(ctx, userId, session);
  return withAccount(ctx, userId, { ...started, revision: session.revision });
}

async function withAccount(
  ctx: Ctx,
  userId: string,
  { revision, ...started }: StartedSession & { revision: number },
): Promise<SignedIn> {
  const user = await repos(ctx).users.find(userId);
  if (user === null) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  const deviceToken = makeDeviceToken(ctx.secret, { userId, revision });
  return { ...started, user: accountView(user, ctx), deviceToken };
}
