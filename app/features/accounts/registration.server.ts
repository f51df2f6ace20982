import { ACCOUNT_MESSAGES, registerSchema, type RegisterInput } from '#app/domain/accounts/account-schema.ts';
import { isDemoAddress } from '#app/domain/accounts/account.ts';
import { trialEnd } from '#app/domain/billing/plans.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { claimReferralCode, fillReferralPlace, findReferrer } from '#app/features/referrals/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { isSwitchedOn, requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { mailConfirmation } from './email-change.server.ts';
import { addressMark } from './known-client.server.ts';
import { hashPassword, refuseCommonPassword } from './passwords.server.ts';
import { signedIn, type SignedIn } from './sign-in.server.ts';

/**
 * Creates an account, signs it in, and mails the link that confirms its address. `plan: "trial"` starts the trial.
 * @throws AppError SWITCHED_OFF, INVALID_INPUT, RATE_LIMITED; REGISTRATION_FAILED when the address is taken, after the
 * same work
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
  await ctx.repos.users.create({
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
    knownAddresses: [addressMark(ctx, id)],
    ...trial,
  });
  await fillReferralPlace(ctx, { id, code }, referrer);
  await mailConfirmation(ctx, { id, email });
  ctx.log.info({ userId: id }, 'account registered');
  return signedIn(ctx, id, { remember: false, revision: 0 });
}

/** After this long a registration that has claimed an address but created no account counts as cut off. */
const ABANDONED_MS = MINUTE_MS;

/**
 * Claims the address for a new account, also when it was claimed for an account that was never created.
 * @returns false when somebody has it
 */
export async function claimAddress(ctx: Ctx, email: string, userId: string): Promise<boolean> {
  authorise(ctx.actor, 'account.register');
  // Only demos are there: nobody registers among them.
  if (isDemoAddress(email)) return false;
  const { addresses, users } = ctx.repos;
  if (await addresses.claim(email, userId)) return true;
  const holder = await addresses.findOwner(email);
  if (holder === null || (await users.find(holder)) !== null) return false;
  // An id begins with the second in which it was made.
  const claimedAt = Number.parseInt(holder.slice(0, 8), 16) * 1000;
  const isAbandoned = ctx.now().getTime() - claimedAt >= ABANDONED_MS;
  return isAbandoned && addresses.takeOver(email, holder, userId);
}
