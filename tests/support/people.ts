import type { RegisterInput } from '#app/domain/accounts/account-schema.ts';
import { trialEnd } from '#app/domain/billing/plans.ts';
import { register } from '#app/features/accounts/registration.server.ts';
import type { SignedIn } from '#app/features/accounts/sign-in.server.ts';
import { addressMark, makeDeviceToken } from '#app/features/accounts/known-client.server.ts';
import { hashPassword } from '#app/features/accounts/passwords.server.ts';
import { actorOf, resolveSession, startSession } from '#app/features/accounts/sessions.server.ts';
import { claimReferralCode, fillReferralPlace } from '#app/features/referrals/referrals.server.ts';
import { accountView } from '#app/platform/access/owner.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import type { UserRecord } from '#models/index.server.ts';
import type { TestDatabase } from './database.ts';
import { reposOf } from '#tests/support/repositories.ts';

export const PASSWORD = 'blue-kettle-47';

/** A valid registration form. */
export function registration(email: string, more: Partial<RegisterInput> = {}): RegisterInput {
  return {
    email,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    agreeToTerms: true,
    ageVerification: true,
    ...more,
  };
}

/** A person with a session. */
export interface Person {
  email: string;
  signedIn: SignedIn;
  ctx: Ctx;
}

/** The context of a token's owner. */
export async function ctxOfToken(database: TestDatabase, token: string): Promise<Ctx> {
  const resolved = await resolveSession(database.ctx(), token);
  if (resolved === null) throw new Error('the token opens nothing');
  return database.ctx(resolved.actor);
}

/** The hash of {@link PASSWORD}, computed once per test file because hashing is most of the work of a registration. */
let passwordHash: Promise<string> | undefined;

/** Stores the same as a registration with a confirmed address, in fewer steps. `people.test.ts` compares the two. */
export async function storePerson(
  ctx: Ctx,
  { email, plan, timeZone }: RegisterInput,
): Promise<SignedIn & { record: UserRecord }> {
  const now = ctx.now();
  const id = newId(now);
  passwordHash ??= hashPassword({ address: 'here', account: 'anyone' }, PASSWORD);
  const [code, hash] = await Promise.all([claimReferralCode(ctx, id), passwordHash]);
  const [isFree] = await Promise.all([
    reposOf(ctx).addresses.claim(email, id),
    fillReferralPlace(ctx, { id, code }, null),
    // As every account is made: a migration that runs beside it would write the same parts of the address.
    ctx.transaction(() =>
      reposOf(ctx).users.create({
        id,
        email,
        passwordHash: hash,
        role: 'user',
        timeZone: timeZone ?? ctx.timeZone,
        createdAt: now,
        emailConfirmedAt: now,
        lastLogin: now,
        termsAcceptedAt: now,
        referredByCode: null,
        referralCode: code,
        knownAddresses: [addressMark(ctx, id)],
        ...(plan === 'trial' ? { trialStartedAt: now, trialEndsAt: trialEnd(now) } : {}),
      }),
    ),
  ]);
  const started = await startSession(ctx, id, { remember: false });
  const record = await reposOf(ctx).users.find(id);
  if (!isFree || record === null) throw new Error(`somebody has the address ${email}`);
  const deviceToken = makeDeviceToken(ctx.secret, { userId: id, revision: 0 });
  return { ...started, user: accountView(record, ctx), deviceToken, record };
}

/** The options that {@link storePerson} supports; all others use the real registration. */
const isPlain = (email: string, more: Partial<RegisterInput>) =>
  email === email.toLowerCase() && Object.keys(more).every((name) => name === 'plan' || name === 'timeZone');

/** A person who registers, is signed in by that, and confirms their address. */
export async function registerPerson(
  database: TestDatabase,
  email: string,
  more: Partial<RegisterInput> = {},
): Promise<Person> {
  const ctx = database.ctx();
  const signedIn = await register(ctx, registration(email, more));
  const { id } = signedIn.user;
  await reposOf(ctx).users.confirmEmail(id, signedIn.user.email, ctx.now());
  await reposOf(ctx).oneTimeSecrets.clear(id, 'confirm-email');
  return { email, signedIn, ctx: await ctxOfToken(database, signedIn.token) };
}

/** A registered, signed-in person. */
export async function newPerson(
  database: TestDatabase,
  email: string,
  more: Partial<RegisterInput> = {},
): Promise<Person> {
  if (!isPlain(email, more)) return registerPerson(database, email, more);
  const ctx = database.ctx();
  const { record, ...signedIn } = await storePerson(ctx, registration(email, more));
  const { id: signInId, createdAt: authenticatedAt } = signedIn.session;
  return { email, signedIn, ctx: database.ctx(actorOf(ctx, record, { signInId, authenticatedAt })) };
}
