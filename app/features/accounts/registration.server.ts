import type * as z from 'zod';
import { ACCOUNT_MESSAGES, registerSchema, type RegisterInput } from '#app/domain/accounts/account-schema.ts';
import { isDemoAddress, DEMO_DOMAIN, demoAddress } from '#app/domain/accounts/account.ts';
import { trialEnd } from '#app/domain/billing/plans.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { claimReferralCode, fillReferralPlace, findReferrer } from '#app/features/referrals/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { type Ctx, contextAs } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { isSwitchedOn, requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { mailConfirmation } from './email-change.server.ts';
import { acceptInvitation, requireSignUp } from './invitations.server.ts';
import { addressMark } from './known-client.server.ts';
import { hashPassword, refuseCommonPassword, requirePasswords } from './passwords.server.ts';
import { signedIn, type SignedIn } from './sign-in.server.ts';
import { demoEnd, DEMO_MESSAGES, MAX_DEMOS, NEXT_DEMO_SECONDS } from '#app/domain/demo/demo.ts';
import { newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { actorOf } from './sessions.server.ts';
import { repos } from './repositories.server.ts';

/**
 * Creates an account, signs it in, and mails the link that confirms its address. `plan: "trial"` starts the trial.
 * @throws AppError SWITCHED_OFF, also without the invitation that this server wants, and where nobody has a password; INVALID_INPUT, RATE_LIMITED; REGISTRATION_FAILED when the address is taken, after doing
 * the same work
 */
export async function register(ctx: Ctx, input: RegisterInput): Promise<SignedIn> {
  authorise(ctx.actor, 'account.register');
  requirePasswords(ctx, 'user');
  await requireSwitchedOn(ctx, 'registration');
  const { email, password, plan, ref, timeZone, invite } = parseInput(registerSchema, input);
  await requireSignUp(ctx, email, invite);
  await refuseCommonPassword(password);
  await ctx.throttle.take({ rule: THROTTLE_RULES.registration, who: ctx.client.address });
  const passwordHash = await hashPassword({ address: ctx.client.address, account: email }, password);
  const id = await createAccount(ctx, { email, passwordHash, plan, ref, timeZone, invite }, (owner) =>
    mailConfirmation(ctx, owner),
  );
  return signedIn(ctx, id, { remember: false, revision: 0 });
}

/** A new account whose owner has shown who they are, and how. */
interface NewAccount extends Pick<
  z.output<typeof registerSchema>,
  'email' | 'plan' | 'ref' | 'timeZone' | 'invite'
> {
  /** Null when its owner signs in with a provider. */
  passwordHash: string | null;
  /** Whether it is known that the address is theirs. */
  hasConfirmedEmail?: boolean;
}

/**
 * Creates an account in one act with everything that belongs to it.
 * @param also done in the same act
 * @returns its id
 * @throws AppError REGISTRATION_FAILED when the address is taken; SWITCHED_OFF when the invitation was just used
 */
export async function createAccount(
  ctx: Ctx,
  { email, passwordHash, hasConfirmedEmail = false, plan, ref, timeZone, invite }: NewAccount,
  also: (owner: { id: string; email: string }) => Promise<void>,
): Promise<string> {
  authorise(ctx.actor, 'account.register');
  const now = ctx.now();
  const id = newId(now);
  const withTrial = ctx.isSelling && plan === 'trial' && (await isSwitchedOn(ctx, 'trials'));
  const trial = withTrial ? { trialStartedAt: now, trialEndsAt: trialEnd(now) } : {};
  await ctx.transaction(async () => {
    if (!(await claimAddress(ctx, email, id))) {
      throw new AppError('REGISTRATION_FAILED', ACCOUNT_MESSAGES.registrationFailed);
    }
    await acceptInvitation(ctx, id, invite);
    const referrer = ctx.isSelling ? await findReferrer(ctx, ref) : null;
    const code = await claimReferralCode(ctx, id);
    await repos(ctx).users.create({
      id,
      email,
      emailConfirmedAt: hasConfirmedEmail ? now : null,
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
    await also({ id, email });
  });
  ctx.log.info({ userId: id }, 'account registered');
  return id;
}

/** Claims the address for a new account. @returns false when an account has it, and for addresses of demos */
export async function claimAddress(ctx: Ctx, email: string, userId: string): Promise<boolean> {
  authorise(ctx.actor, 'account.register');
  return !isDemoAddress(email) && (await repos(ctx).addresses.claim(email, userId));
}

interface DemoAccount {
  /** IANA name. */
  timeZone: string;
  /** Writes its contents. @param ctx as its owner */
  fill: (ctx: Ctx) => Promise<void>;
}

/** @throws AppError RATE_LIMITED */
async function requireFreeDemo(ctx: Ctx, most: number): Promise<void> {
  if ((await repos(ctx).users.countOfDomain(DEMO_DOMAIN, ctx.now())) > most)
    throw new AppError('RATE_LIMITED', DEMO_MESSAGES.full, { retryAfterSeconds: NEXT_DEMO_SECONDS });
}

/**
 * Creates a demo account with Premium, fills it and signs in to it. Nobody knows its password, and it is scheduled for
 * deletion from the start, so the job that deletes accounts on request deletes demos too.
 * @throws AppError RATE_LIMITED, also when all demos are in use
 */
export async function startDemoAccount(ctx: Ctx, { timeZone, fill }: DemoAccount): Promise<SignedIn> {
  authorise(ctx.actor, 'demo.start');
  await ctx.throttle.take({ rule: THROTTLE_RULES.demo, who: ctx.client.address });
  await requireFreeDemo(ctx, MAX_DEMOS - 1);
  const { addresses, personalData, users } = repos(ctx);
  const now = ctx.now();
  const id = newId(now);
  const email = demoAddress(id);
  const passwordHash = await hashPassword({ address: ctx.client.address, account: id }, newToken());
  await ctx.transaction(async () => {
    await addresses.claim(email, id);
    await users.create({
      ...{ id, email, passwordHash, role: 'user', timeZone, createdAt: now, lastLogin: now },
      ...{ emailConfirmedAt: now, grantedAt: now, deleteAfter: demoEnd(now) },
    });
  });
  try {
    // Others may have started at the same moment: whoever finds too many gives up.
    await requireFreeDemo(ctx, MAX_DEMOS);
    const user = await users.find(id);
    if (user === null) throw new AppError('NOT_FOUND', DEMO_MESSAGES.failed);
    await fill(contextAs(ctx, actorOf(ctx, user, { signInId: id, authenticatedAt: now })));
    ctx.log.info({ userId: id }, 'demo started');
    return await signedIn(ctx, id, { remember: false, revision: 0 });
  } catch (error) {
    await personalData.deleteOwned({ id, email });
    await ctx.transaction(() => personalData.deleteAccount({ id, email }));
    throw error;
  }
}
