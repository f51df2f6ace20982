import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeUser, createAdmin } from '#app/features/admin/index.server.ts';
import { register } from '#app/features/accounts/registration.server.ts';
import { readAccessLog } from '#app/features/accounts/access-log.server.ts';
import { getIdentity, listSignInWays, unlinkIdentity } from '#app/features/accounts/identities.server.ts';
import {
  askForPasswordReset,
  changePassword,
  resetPassword,
  setFirstPassword,
} from '#app/features/accounts/password-change.server.ts';
import {
  addPasskey,
  addPasskeyOptions,
  listPasskeys,
  removePasskey,
} from '#app/features/accounts/passkeys.server.ts';
import {
  beginProviderVisit,
  endConfirmVisit,
  endLinkVisit,
  endSignInVisit,
  registerWithProvider,
  signOutAtProvider,
  type ProviderUse,
} from '#app/features/accounts/provider-sign-in.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
} from '#app/features/accounts/second-factor.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import type { ProviderVisit } from '#app/integrations/identity-providers.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { CLIENT_SECRET, startProvider, type TestProvider } from '#tests/support/identity-provider.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD, registration } from '#tests/support/people.ts';

const SITE = 'https://vialbook.example';
const AGREED = { agreeToTerms: true, ageVerification: true };

const redirectUris = [`${SITE}/sign-in/oidc`, ...[2, 3, 4, 5, 6].map((n) => `${SITE}/sign-in/oidc-${n}`)];

/** The settings of a provider. @param suffix such as `_2` */
const settingsOf = (issuer: string, suffix = '', name = 'House') => ({
  [`OIDC_ISSUER${suffix}`]: issuer,
  [`OIDC_CLIENT_ID${suffix}`]: 'vialbook',
  [`OIDC_CLIENT_SECRET${suffix}`]: CLIENT_SECRET,
  [`OIDC_NAME${suffix}`]: name,
});

let house: TestProvider;
let late: TestProvider;
let tooLate: TestProvider;
let early: TestProvider;
let db: TestDatabase;
let closed: TestDatabase;
/** Where only administrators have passwords. */
let withoutPasswords: TestDatabase;
beforeAll(async () => {
  [house, late, tooLate, early] = await Promise.all([
    startProvider({ redirectUris }),
    // Its answers live for a minute: 80 s ago they were valid until 20 s ago.
    startProvider({ redirectUris, skewSeconds: -80 }),
    startProvider({ redirectUris, skewSeconds: -120 }),
    startProvider({ redirectUris, skewSeconds: 90 }),
  ]);
  const env = {
    APP_URL: SITE,
    RATE_LIMIT_FACTOR: '100',
    ...settingsOf(house.issuer),
    ...settingsOf(late.issuer, '_2', '__proto__'),
    ...settingsOf(tooLate.issuer, '_3', 'Too late'),
    ...settingsOf(early.issuer, '_4', 'Early'),
    ...settingsOf('http://127.0.0.1:9', '_5', 'Nobody there'),
    // Its own issuer has no path.
    ...settingsOf(`${house.issuer}/another`, '_6', 'Somebody else'),
  };
  db = await openTestDatabase({ env });
  closed = await openTestDatabase({ env: { ...env, SIGN_UP: 'closed' } });
  withoutPasswords = await openTestDatabase({ env: { ...env, PASSWORD_SIGN_IN: 'off' } });
});
afterAll(async () => {
  await Promise.all([house, late, tooLate, early].map((provider) => provider.stop()));
  await Promise.all([db, closed, withoutPasswords].map((database) => database.dispose()));
});

interface Visit {
  provider: string;
  answer: URLSearchParams;
  visit: ProviderVisit;
}

/** Goes to a provider and comes back. */
async function visit(
  ctx: Ctx,
  {
    use = 'sign-in',
    provider = 'oidc',
    at = house,
    code,
  }: { use?: ProviderUse; provider?: string; at?: TestProvider; code?: string } = {},
): Promise<Visit> {
  const begun = await beginProviderVisit(ctx, { provider, use, code });
  const back = await at.visit(begun.address);
  expect(`${back.origin}${back.pathname}`).toBe(`${SITE}/sign-in/${provider}`);
  return { provider, answer: back.searchParams, visit: begun.visit };
}

/** Somebody new, with an account that was created with the provider. */
async function newcomer(name: string) {
  const email = `${name}@example.org`;
  await house.be(name, email);
  const step = await endSignInVisit(db.ctx(), await visit(db.ctx()));
  if (step.next !== 'register') throw new Error(`the next step is ${step.next}`);
  const signedIn = await registerWithProvider(db.ctx(), step.registration, AGREED);
  return { email, signedIn, ctx: await ctxOfToken(db, signedIn.token) };
}

/** Somebody with a password who linked their account. */
async function linked(name: string) {
  const person = await newPerson(db, `${name}@example.org`);
  await house.be(name, `${name}@elsewhere.example`);
  await endLinkVisit(person.ctx, await visit(person.ctx, { use: 'link' }));
  const [identity] = (await listSignInWays(person.ctx)).identities;
  return { ...person, identity: identity! };
}

/** How a sign-in with the provider ends: the address of who is signed in, or what comes next. */
async function entered(database = db): Promise<string> {
  const step = await endSignInVisit(database.ctx(), await visit(database.ctx()));
  return step.next === 'done' ? step.signedIn.user.email : step.next;
}

describe('somebody new', () => {
  it('gets an account with a confirmed address and no password, after agreeing to the terms, and signs in to it again', async () => {
    const { email, ctx, signedIn } = await newcomer('new');
    expect(signedIn.user).toMatchObject({ email });
    expect(ctx.actor).toMatchObject({ hasConfirmedEmail: true });
    expect(await listSignInWays(ctx)).toMatchObject({
      hasPassword: false,
      identities: [{ name: 'House', email }],
    });
    expect(await entered()).toBe(email);
    for (const password of ['none', PASSWORD])
      expect(await codeOf(signIn(db.ctx(), { email, password }))).not.toBe('ok');
  });

  it('has to agree, once, in time', async () => {
    await house.be('agrees', 'agrees@example.org');
    const step = await endSignInVisit(db.ctx(), await visit(db.ctx()));
    const { registration: secret } = step as Extract<typeof step, { next: 'register' }>;
    const young = registerWithProvider(db.ctx(), secret, { ...AGREED, ageVerification: false });
    expect(await codeOf(young)).toBe('INVALID_INPUT');
    await registerWithProvider(db.ctx(), secret, AGREED);
    expect(await codeOf(registerWithProvider(db.ctx(), secret, AGREED))).toBe('NOT_FOUND');
  });

  it('gets none without a verified address, nor with the address of an account, which is not linked', async () => {
    await house.be('unverified', 'unverified@example.org', { isVerified: false });
    expect(await codeOf(entered())).toBe('REGISTRATION_FAILED');
    await house.be('without');
    expect(await codeOf(entered())).toBe('REGISTRATION_FAILED');
    const { ctx, email } = await newPerson(db, 'victim@example.org');
    await house.be('thief', email);
    await expect(entered()).rejects.toThrow('link House in your profile');
    expect((await listSignInWays(ctx)).identities).toEqual([]);
  });

  it('gets none on a server that gives none, while a linked person gets in', async () => {
    await house.be('stranger', 'stranger@example.org');
    await expect(entered(closed)).rejects.toThrow('Nobody can create an account');
    const person = await newPerson(closed, 'insider@example.org');
    await house.be('insider');
    await endLinkVisit(person.ctx, await visit(person.ctx, { use: 'link' }));
    expect(await entered(closed)).toBe('insider@example.org');
  });

  it('has one account, however often they begin it', async () => {
    await house.be('twice', 'twice@example.org');
    const first = await endSignInVisit(db.ctx(), await visit(db.ctx()));
    const second = await endSignInVisit(db.ctx(), await visit(db.ctx()));
    const secretOf = (step: typeof first) => (step.next === 'register' ? step.registration : '');
    await registerWithProvider(db.ctx(), secretOf(first), AGREED);
    expect(await codeOf(registerWithProvider(db.ctx(), secretOf(second), AGREED))).toBe(
      'REGISTRATION_FAILED',
    );
  });
});

describe('an account with a password', () => {
  it('is linked after a recent sign-in, listed, reported by mail and in the access log, and unlinked', async () => {
    const { ctx, email, identity } = await linked('owner');
    expect(identity).toMatchObject({ name: 'House', provider: 'oidc', email: 'owner@elsewhere.example' });
    expect((await db.mails()).at(-1)).toMatchObject({ to: email, subject: 'Sign-in with House was added' });
    expect(await entered()).toBe(email);
    expect((await listSignInWays(ctx)).identities[0]?.lastUsedAt).toEqual(db.clock.now());
    await unlinkIdentity(ctx, identity.id);
    expect((await db.mails()).at(-1)).toMatchObject({ to: email, subject: 'Sign-in with House was removed' });
    const log = (await readAccessLog(ctx)).entries.map(({ what }) => what);
    expect(log.toSorted()).toEqual([
      'Sign-in with another service linked',
      'Sign-in with another service unlinked',
    ]);
    expect(await codeOf(getIdentity(ctx, identity.id))).toBe('NOT_FOUND');
    expect(await entered()).toBe('register');
  });

  it('is linked and unlinked only soon after signing in', async () => {
    const { ctx, identity } = await linked('slow');
    db.clock.advance(24 * 3_600_000);
    expect(await codeOf(visit(ctx, { use: 'link' }))).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await codeOf(unlinkIdentity(ctx, identity.id))).toBe('RECENT_SIGN_IN_REQUIRED');
  });

  it('cannot be linked with who is linked with another, or unlinked by another', async () => {
    const { identity } = await linked('first');
    const { ctx } = await newPerson(db, 'second@example.org');
    expect(await codeOf(endLinkVisit(ctx, await visit(ctx, { use: 'link' })))).toBe('ALREADY_EXISTS');
    expect(await codeOf(unlinkIdentity(ctx, identity.id))).toBe('NOT_FOUND');
  });

  it('still asks for the code of two-step sign-in', async () => {
    const { ctx } = await linked('two-step');
    await beginSecondFactor(ctx);
    const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
    await confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
    expect(await entered()).toBe('code');
  });

  it('loses its links at a reset by mail', async () => {
    const { email } = await linked('reset');
    await askForPasswordReset(db.ctx(), { email });
    const link = /\/reset-password\/(\S+)/.exec((await db.mails()).at(-1)?.text ?? '')?.[1] ?? '';
    const { password, confirmPassword } = registration(email);
    await resetPassword(db.ctx(), link, { password: `${password}!`, confirmPassword: `${confirmPassword}!` });
    expect(await entered()).toBe('register');
  });

  it('that is suspended stays closed', async () => {
    const { email } = await linked('suspended');
    await changeUser(db.ctx(TERMINAL), 'suspend', { email, reason: 'a test' });
    expect(await codeOf(entered())).toBe('SUSPENDED');
  });
});

describe('an account without a password', () => {
  it('keeps its only way in, and may give it up once it has a password', async () => {
    const { ctx, email } = await newcomer('only');
    const [identity] = (await listSignInWays(ctx)).identities;
    expect(await codeOf(unlinkIdentity(ctx, identity?.id ?? ''))).toBe('WRONG_STATE');
    await setFirstPassword(ctx, { password: PASSWORD, confirmPassword: PASSWORD });
    expect((await signIn(db.ctx(), { email, password: PASSWORD })).user.email).toBe(email);
    expect(
      await codeOf(setFirstPassword(ctx, { password: 'green-cup-12', confirmPassword: 'green-cup-12' })),
    ).toBe('CHANGED_MEANWHILE');
    await unlinkIdentity(ctx, identity?.id ?? '');
    expect((await listSignInWays(ctx)).identities).toEqual([]);
  });

  it('keeps one way in, whatever else is removed and when', async () => {
    const { ctx } = await newcomer('several');
    const device = new Authenticator(SITE);
    await addPasskey(ctx, { name: 'Phone', passkey: device.make(await addPasskeyOptions(ctx)) });
    const [key] = await listPasskeys(ctx);
    const [identity] = (await listSignInWays(ctx)).identities;
    const codes = await Promise.all([
      codeOf(unlinkIdentity(ctx, identity?.id ?? '')),
      codeOf(removePasskey(ctx, key?.id ?? '')),
    ]);
    expect(codes.toSorted()).toEqual(['WRONG_STATE', 'done']);
  });

  it('has no current password to change', async () => {
    const { ctx } = await newcomer('no-current');
    const change = { currentPassword: 'none', newPassword: PASSWORD, confirmPassword: PASSWORD };
    expect(await codeOf(changePassword(ctx, change))).toBe('INVALID_INPUT');
  });

  it('confirms who its owner is by a new sign-in at the provider, as the same person', async () => {
    const { signedIn, ctx } = await newcomer('confirms');
    db.clock.advance(12 * 3_600_000);
    expect(await codeOf(visit(ctx, { use: 'link' }))).toBe('RECENT_SIGN_IN_REQUIRED');
    const confirmation = await visit(ctx, { use: 'confirm' });
    const { token } = await endConfirmVisit(ctx, confirmation, signedIn.token);
    expect(await codeOf(visit(await ctxOfToken(db, token), { use: 'link' }))).toBe('done');
    await house.be('somebody-else', 'else@example.org');
    expect(await codeOf(endConfirmVisit(ctx, await visit(ctx, { use: 'confirm' }), token))).toBe(
      'INVALID_INPUT',
    );
  });
});

describe('a server without passwords', () => {
  const email = 'walter@example.org';

  it('lets somebody new in with the provider, and gives them no password', async () => {
    await house.be('walter', email);
    const step = await endSignInVisit(withoutPasswords.ctx(), await visit(withoutPasswords.ctx()));
    const { registration: secret } = step as Extract<typeof step, { next: 'register' }>;
    const { token } = await registerWithProvider(withoutPasswords.ctx(), secret, AGREED);
    const ctx = await ctxOfToken(withoutPasswords, token);
    const first = { password: PASSWORD, confirmPassword: PASSWORD };
    expect(await codeOf(setFirstPassword(ctx, first))).toBe('SWITCHED_OFF');
    expect(await codeOf(register(withoutPasswords.ctx(), registration('second@example.org')))).toBe(
      'SWITCHED_OFF',
    );
    const mails = (await withoutPasswords.mails()).length;
    await askForPasswordReset(withoutPasswords.ctx(), { email });
    expect(await withoutPasswords.mails()).toHaveLength(mails);
    expect(await entered(withoutPasswords)).toBe(email);
  });

  it('lets an administrator in with a password, who may change and reset it, until they are none any more', async () => {
    const admin = { email: 'root@example.org', password: PASSWORD };
    const console_ = withoutPasswords.ctx(TERMINAL);
    await createAdmin(console_, { ...admin, role: 'admin' });
    const { user, token } = await signIn(withoutPasswords.ctx(), admin);
    expect(user.email).toBe(admin.email);
    const ctx = await ctxOfToken(withoutPasswords, token);
    expect((await listSignInWays(ctx)).hasPassword).toBe(true);
    const next = `${PASSWORD}!`;
    await changePassword(ctx, { currentPassword: PASSWORD, newPassword: next, confirmPassword: next });
    await askForPasswordReset(withoutPasswords.ctx(), admin);
    const { text } = (await withoutPasswords.mails()).at(-1)!;
    const link = /\/reset-password\/(\S+)/.exec(text)?.[1] ?? '';
    await changeUser(console_, 'demote', { email: admin.email, reason: 'a test' });
    // Wrong and right passwords of somebody else are told apart only by who knows the password.
    expect(await codeOf(signIn(withoutPasswords.ctx(), admin))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(signIn(withoutPasswords.ctx(), { ...admin, password: next }))).toBe('SWITCHED_OFF');
    const reset = { password: PASSWORD, confirmPassword: PASSWORD };
    expect(await codeOf(resetPassword(withoutPasswords.ctx(), link, reset))).toBe('NOT_FOUND');
  });
});

describe('an answer of a provider', () => {
  it('counts once', async () => {
    await linked('once');
    const back = await visit(db.ctx());
    await endSignInVisit(db.ctx(), back);
    expect(await codeOf(endSignInVisit(db.ctx(), back))).toBe('INVALID_INPUT');
  });

  it('counts only for the visit it answers, which a foreign one does not use up', async () => {
    await linked('crossed');
    const [mine, foreign] = [await visit(db.ctx()), await visit(db.ctx())];
    expect(await codeOf(endSignInVisit(db.ctx(), { ...mine, answer: foreign.answer }))).toBe('INVALID_INPUT');
    const withState = new URLSearchParams(foreign.answer);
    withState.set('state', mine.visit.state);
    // The other visit's code needs the other visit's verifier.
    expect(await codeOf(endSignInVisit(db.ctx(), { ...mine, answer: withState }))).toBe('INVALID_INPUT');
  });

  it.each([
    ['another nonce', (back: Visit) => ({ ...back, visit: { ...back.visit, nonce: 'another' } })],
    ['another verifier', (back: Visit) => ({ ...back, visit: { ...back.visit, verifier: 'v'.repeat(43) } })],
    ['another provider', (back: Visit) => ({ ...back, provider: 'oidc-2' })],
    [
      'another issuer',
      (back: Visit) => {
        const answer = new URLSearchParams(back.answer);
        answer.set('iss', 'https://issuer.example');
        return { ...back, answer };
      },
    ],
    [
      'no code',
      (back: Visit) => {
        const answer = new URLSearchParams(back.answer);
        answer.delete('code');
        return { ...back, answer };
      },
    ],
  ])('is refused with %s', async (_what, changed) => {
    await house.be('changed', 'changed@example.org');
    expect(await codeOf(endSignInVisit(db.ctx(), changed(await visit(db.ctx()))))).toBe('INVALID_INPUT');
  });

  it('serves only what it was asked for, and only who asked', async () => {
    const { ctx } = await linked('purpose');
    const { ctx: other } = await newPerson(db, 'other-purpose@example.org');
    expect(await codeOf(endLinkVisit(ctx, await visit(ctx)))).toBe('INVALID_INPUT');
    expect(await codeOf(endSignInVisit(db.ctx(), await visit(ctx, { use: 'link' })))).toBe('INVALID_INPUT');
    expect(await codeOf(endLinkVisit(other, await visit(ctx, { use: 'link' })))).toBe('INVALID_INPUT');
  });

  it('that says no changes nothing', async () => {
    await house.be('nobody');
    await expect(entered()).rejects.toThrow('so nothing has changed');
  });

  it('is accepted from a clock that is a little wrong, and refused beyond', async () => {
    for (const provider of [late, tooLate, early]) await provider.be('clock', 'clock@example.org');
    const step = (provider: string, at: TestProvider) =>
      visit(db.ctx(), { provider, at }).then((back) => endSignInVisit(db.ctx(), back));
    expect((await step('oidc-2', late)).next).toBe('register');
    expect(await codeOf(step('oidc-3', tooLate))).toBe('INVALID_INPUT');
    expect(await codeOf(step('oidc-4', early))).toBe('INVALID_INPUT');
  });
});

describe('a provider', () => {
  it('that does not answer, or is another than it says, is not available; all others are', async () => {
    for (const provider of ['oidc-5', 'oidc-6'])
      expect(await codeOf(beginProviderVisit(db.ctx(), { provider, use: 'sign-in' }))).toBe(
        'PROVIDER_UNAVAILABLE',
      );
    expect((await beginProviderVisit(db.ctx(), { provider: 'oidc', use: 'sign-in' })).address).toContain(
      house.issuer,
    );
  });

  it.each(['oidc-7', '__proto__', 'constructor', ''])('called %j does not exist', async (provider) => {
    expect(await codeOf(beginProviderVisit(db.ctx(), { provider, use: 'sign-in' }))).toBe('NOT_FOUND');
  });

  it('is asked with PKCE, state and nonce, and leads back only to this site', async () => {
    const { address, visit: kept } = await beginProviderVisit(db.ctx(), { provider: 'oidc', use: 'sign-in' });
    const { searchParams } = new URL(address);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: kept.state,
      nonce: kept.nonce,
      redirect_uri: `${SITE}/sign-in/oidc`,
    });
    expect(address).not.toContain(kept.verifier);
    expect(address).not.toContain(CLIENT_SECRET);
  });

  it('ends its own session at its own address, which leads back to our sign-in page', async () => {
    const address = new URL(await signOutAtProvider(db.ctx(), 'oidc'));
    expect(address.origin).toBe(house.issuer);
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${SITE}/login`);
    expect((await fetch(address)).status).toBe(200);
  });
});
