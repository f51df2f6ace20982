import { AppError } from '#app/domain/errors.ts';
import { trialEnd } from '#app/domain/billing/plans.ts';
import { ACCOUNT_MESSAGES, registerSchema, type RegisterInput } from '#app/domain/accounts/account-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { UserRecord } from '#models/index.server.ts';
import { accountView, type AccountView } from '#app/platform/access/account-view.server.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import { isCommonPassword } from './common-passwords.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { makeDeviceToken } from './device-token.server.ts';
import { isSwitchedOn, requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { hashPassword } from './passwords.server.ts';
import { claimReferralCode, fillReferralPlace, findReferrer } from '#app/features/referrals/index.server.ts';
import { startSession, type StartedSession } from './sessions.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/** What a sign-in or registration gives. */
export interface SignedIn extends StartedSession {
  user: AccountView;
  /** For the browser to keep beyond the session and to send with its next sign-in. */
  deviceToken: string;
}

/** @throws AppError INVALID_INPUT at the password's field when it is one of the commonest */
export async function refuseCommonPassword(password: string, field = 'password'): Promise<void> {
  if (!(await isCommonPassword(password))) return;
  const message = ACCOUNT_MESSAGES.passwordCommon;
  throw new AppError('INVALID_INPUT', message, { fields: { [field]: [message] } });
}

/**
 * Takes the address for a new account: when it is free, or when it stands for an account that was never finished.
 * @returns false when somebody has it
 */
export async function claimAddress(ctx: Ctx, email: string, userId: string): Promise<boolean> {
  const { addresses, users } = ctx.repos;
  if (await addresses.claim(email, userId)) return true;
  const holder = await addresses.findOwner(email);
  if (holder === null || (await users.findById(holder)) !== null) return false;
  const left = ABANDONED_MS - (ctx.now().getTime() - Number.parseInt(holder.slice(0, 8), 16) * 1000);
  return left <= 0 && addresses.takeOver(email, holder, userId);
}

/** An address without an account is being registered for this long; after that the registration was cut off. */
const ABANDONED_MS = 60_000;

/**
 * Makes an account and signs it in. `plan: "trial"` starts the trial.
 * @throws AppError SWITCHED_OFF, INVALID_INPUT, RATE_LIMITED; REGISTRATION_FAILED when the address is taken, at the same cost
 */
export async function register(ctx: Ctx, input: RegisterInput): Promise<SignedIn> {
  authorise(ctx.actor, 'account.register');
  await requireSwitchedOn(ctx, 'registration');
  const { email, password, plan, ref, timeZone } = parseInput(registerSchema, input);
  await refuseCommonPassword(password);
  await ctx.throttle.take({ rule: THROTTLE_RULES.registration, who: ctx.client.address });
  const passwordHash = await hashPassword(password);
  const now = ctx.now();
  const id = newId(now);
  if (!(await claimAddress(ctx, email, id))) {
    throw new AppError('REGISTRATION_FAILED', ACCOUNT_MESSAGES.registrationFailed);
  }
  const referrer = await findReferrer(ctx, ref);
  const code = await claimReferralCode(ctx, id);
  const withTrial = plan === 'trial' && (await isSwitchedOn(ctx, 'trials'));
  const trial = withTrial ? { trialStartedAt: now, trialEndsAt: trialEnd(now) } : {};
  await ctx.repos.users.insert({
    id,
    email,
    passwordHash,
    role: 'user',
    timeZone: timeZone ?? ctx.timeZone,
    createdAt: now,
    lastLogin: now,
    termsAcceptedAt: now,
    referredByCode: referrer?.code ?? null,
    referralCode: code,
    ...trial,
  });
  await fillReferralPlace(ctx, { id, code }, referrer);
  ctx.log.info({ userId: id }, 'account registered');
  return signedIn(ctx, id, { remember: false });
}

/** Begins a session of an account and tells all about it. */
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

/** The signed-in user's account. */
export async function getAccount(ctx: Ctx): Promise<AccountView> {
  const { id } = authoriseUser(ctx.actor, 'account.read');
  const user = await ctx.repos.users.findById(id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return accountView(user, ctx.now());
}
