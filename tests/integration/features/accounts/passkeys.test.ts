import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { readAccessLog } from '#app/features/accounts/access-log.server.ts';
import {
  addPasskey,
  addPasskeyOptions,
  confirmPasskeyOptions,
  listPasskeys,
  removePasskey,
  signInPasskeyOptions,
} from '#app/features/accounts/passkeys.server.ts';
import {
  changePassword,
  confirmWithPasskey,
  askForPasswordReset,
  resetPassword,
} from '#app/features/accounts/password-change.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
} from '#app/features/accounts/second-factor.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import {
  beginSignIn,
  completeSignInWithPasskey,
  secondStepPasskeyOptions,
  signInAdminWithPasskey,
  signInWithPasskey,
} from '#app/features/accounts/sign-in.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

const SITE = 'https://vialbook.example';
const STEP = 30_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { APP_URL: SITE, RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

type Person = Awaited<ReturnType<typeof newPerson>>;

/** Adds a passkey to somebody's account. */
async function give(ctx: Person['ctx'], name = 'My phone'): Promise<Authenticator> {
  const device = new Authenticator(SITE);
  await addPasskey(ctx, { name, passkey: device.make(await addPasskeyOptions(ctx)) });
  return device;
}

/** Somebody with a passkey. */
async function keyHolder(email: string) {
  const person = await newPerson(db, email);
  return { ...person, device: await give(person.ctx) };
}

const challenge = () => signInPasskeyOptions(db.ctx());
const enter = (passkey: string) => signInWithPasskey(db.ctx(), { passkey });

/** The result of a sign-in: the address of the signed-in user, or the error code. */
async function entered(passkey: string): Promise<string> {
  const step = await enter(passkey).catch((error: { code: string }) => error.code);
  if (typeof step === 'string') return step;
  return step.next === 'done' ? step.signedIn.user.email : step.next;
}

describe('a passkey', () => {
  it('is created after a recent sign-in, named, listed, reported by mail and in the access log, and removed', async () => {
    const { ctx, email, device } = await keyHolder('life@example.org');
    const [made] = await listPasskeys(ctx);
    expect(made).toMatchObject({ name: 'My phone', isSynced: false, lastUsedAt: null });
    expect((await db.mails()).at(-1)).toMatchObject({ to: email, subject: 'A passkey was added' });
    expect(await entered(device.use(await challenge()))).toBe(email);
    expect((await listPasskeys(ctx))[0]?.lastUsedAt).toEqual(db.clock.now());
    db.clock.advance(1000);
    await removePasskey(ctx, made?.id ?? '');
    expect(await listPasskeys(ctx)).toEqual([]);
    expect((await db.mails()).at(-1)).toMatchObject({ to: email, subject: 'A passkey was removed' });
    const log = (await readAccessLog(ctx)).entries.map(({ what }) => what);
    expect(log.slice(0, 2)).toEqual(['Passkey removed', 'Passkey added']);
    // A removed passkey gives no access.
    expect(await entered(device.use(await challenge()))).toBe('INVALID_INPUT');
  });

  it('needs a recent sign-in to be created and removed', async () => {
    const { signedIn } = await keyHolder('late@example.org');
    db.clock.advance(15 * 60_000);
    const ctx = await ctxOfToken(db, signedIn.token);
    const [{ id = '' } = {}] = await listPasskeys(ctx);
    expect(await codeOf(addPasskeyOptions(ctx))).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await codeOf(addPasskey(ctx, { name: 'x', passkey: '' }))).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await codeOf(removePasskey(ctx, id))).toBe('RECENT_SIGN_IN_REQUIRED');
  });

  it('is one of at most ten, and belongs to one account only', async () => {
    const { ctx, device } = await keyHolder('many@example.org');
    const other = await newPerson(db, 'other-holder@example.org');
    const again = device.make(await addPasskeyOptions(other.ctx));
    expect(await codeOf(addPasskey(other.ctx, { name: 'Taken', passkey: again }))).toBe('ALREADY_EXISTS');
    for (let count = 1; count < 10; count += 1) await give(ctx, `Key ${count}`);
    expect(await codeOf(give(ctx))).toBe('LIMIT_REACHED');
    expect(await listPasskeys(ctx)).toHaveLength(10);
  });

  it('uses the same algorithms on every version of Node', async () => {
    const { ctx } = await newPerson(db, 'ways@example.org');
    const { pubKeyCredParams } = await addPasskeyOptions(ctx);
    expect(pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
  });

  it('is created only for our own challenge, on this site, unlocked, and once', async () => {
    const { ctx } = await newPerson(db, 'maker@example.org');
    const other = await newPerson(db, 'other-maker@example.org');
    const add = async (passkey: string) => codeOf(addPasskey(ctx, { name: 'Key', passkey }));
    const make = async (from = ctx) => addPasskeyOptions(from);
    const device = () => new Authenticator(SITE);
    expect(await add(device().make(await make(), { origin: 'https://evil.example' }))).toBe('INVALID_INPUT');
    expect(await add(device().make(await make(), { isVerified: false }))).toBe('INVALID_INPUT');
    expect(await add(new Authenticator('https://evil.example').make(await make()))).toBe('INVALID_INPUT');
    expect(await add(device().make(await make(other.ctx)))).toBe('INVALID_INPUT');
    expect(await add(device().make({ ...(await make()), challenge: 'A'.repeat(43) }))).toBe('INVALID_INPUT');
    const old = await make();
    db.clock.advance(5 * 60_000);
    expect(await add(device().make(old))).toBe('INVALID_INPUT');
    const options = await make();
    expect(await add(device().make(options))).toBe('done');
    expect(await add(device().make(options))).toBe('INVALID_INPUT');
    expect(await listPasskeys(ctx)).toHaveLength(1);
  });

  it('leaves neither key nor id in the full download', async () => {
    const { ctx, device } = await keyHolder('download@example.org');
    const text = await textOf((await downloadData(ctx)).open());
    expect(text).toContain('"passkeys": [\n');
    expect(text).toContain('My phone');
    expect(text).not.toContain(device.id);
    expect(text).not.toContain('publicKey');
  });
});

describe('signing in with a passkey alone', () => {
  it('does not reveal whether an account exists, and accepts an answer once', async () => {
    const { email, device } = await keyHolder('once@example.org');
    const [a, b] = [await challenge(), await challenge()];
    expect({ ...a, challenge: '' }).toEqual({ ...b, challenge: '' });
    expect(a.allowCredentials ?? []).toEqual([]);
    expect(a.userVerification).toBe('required');
    const answer = device.use(a);
    expect(await entered(answer)).toBe(email);
    expect(await entered(answer)).toBe('INVALID_INPUT');
    // A stranger's passkey, an unknown one, and no answer at all get the same message.
    const message = (passkey: string) =>
      enter(passkey).then(
        () => '',
        (error: Error) => error.message,
      );
    const refusals = [answer, new Authenticator(SITE).use(await challenge()), 'null', '{"id":{"$gt":""}}'];
    expect(new Set(await Promise.all(refusals.map(message))).size).toBe(1);
  });

  it('refuses another site, a locked device, and a challenge that has expired or is for something else', async () => {
    const { ctx, device } = await keyHolder('strict@example.org');
    const foreign = device.use(await challenge(), { origin: 'https://evil.example' });
    expect(await entered(foreign)).toBe('INVALID_INPUT');
    expect(await entered(device.use(await challenge(), { isVerified: false }))).toBe('INVALID_INPUT');
    expect(await entered(device.use(await confirmPasskeyOptions(ctx)))).toBe('INVALID_INPUT');
    const old = await challenge();
    db.clock.advance(5 * 60_000);
    expect(await entered(device.use(old))).toBe('INVALID_INPUT');
  });

  it('refuses a counter that goes backwards, and tells the owner', async () => {
    const { ctx, email, device } = await keyHolder('copied@example.org');
    expect(await entered(device.use(await challenge(), { counter: 7 }))).toBe(email);
    db.clock.advance(1000);
    expect(await entered(device.use(await challenge(), { counter: 7 }))).toBe('INVALID_INPUT');
    expect((await db.mails()).at(-1)).toMatchObject({ to: email, subject: 'A passkey was refused' });
    expect((await readAccessLog(ctx)).entries[0]?.what).toBe(
      'Passkey refused because it may have been copied',
    );
    expect(await entered(device.use(await challenge(), { counter: 8 }))).toBe(email);
  });

  it('replaces the second factor too', async () => {
    const { ctx, email, device } = await keyHolder('both@example.org');
    await protect(ctx);
    expect(await entered(device.use(await challenge()))).toBe(email);
  });

  it('opens the admin area only to administrators', async () => {
    const email = 'root@example.org';
    await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD });
    const step = await beginSignIn(db.ctx(), { email, password: PASSWORD });
    const token = step.next === 'done' ? step.signedIn.token : '';
    const device = await give(await ctxOfToken(db, token));
    const { device: plain } = await keyHolder('plain@example.org');
    const open = async (key: Authenticator) =>
      codeOf(signInAdminWithPasskey(db.ctx(), { passkey: key.use(await challenge()) }));
    expect(await open(device)).toBe('done');
    expect(await open(plain)).toBe('FORBIDDEN');
  });

  it('leaves no session if the password changes meanwhile', async () => {
    const { ctx, device } = await keyHolder('races@example.org');
    const alive = async (outcomes: PromiseSettledResult<Awaited<ReturnType<typeof enter>>>[]) => {
      const tokens = outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' && outcome.value.next === 'done' ? [outcome.value.signedIn.token] : [],
      );
      const held = await Promise.all(tokens.map((token) => resolveSession(db.ctx(), token)));
      return held.filter((session) => session !== null).length;
    };
    const tries = async () =>
      Promise.all(Array.from({ length: 6 }, async () => device.use(await challenge())));
    const newPassword = 'green-lamp-82';
    const passwords = { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword };
    const during = await tries();
    const changing = changePassword(ctx, passwords);
    const changed = await Promise.allSettled(during.map(enter));
    await changing;
    expect(await alive(changed)).toBe(0);
  });
});

/** Turns two-step sign-in on. @returns codes of its app, each from a different step */
async function protect(ctx: Person['ctx']): Promise<() => string> {
  await beginSecondFactor(ctx);
  const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
  await confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
  return () => {
    db.clock.advance(STEP);
    return oneTimeCode(secret, db.clock.now());
  };
}

describe('a passkey as the second factor', () => {
  const stepOf = async (email: string, password = PASSWORD) => {
    const step = await beginSignIn(db.ctx(), { email, password });
    return step.next === 'code' ? step.challenge : expect.unreachable('no second step');
  };

  it('completes the sign-in of its own account, once', async () => {
    const { ctx, email, device } = await keyHolder('second@example.org');
    await protect(ctx);
    const { device: foreign } = await keyHolder('foreign@example.org');
    const step = await stepOf(email);
    const options = await secondStepPasskeyOptions(db.ctx(), step);
    expect(options.allowCredentials).toEqual([
      { id: device.id, type: 'public-key', transports: ['internal'] },
    ]);
    const complete = (passkey: string) => codeOf(completeSignInWithPasskey(db.ctx(), step, { passkey }));
    expect(await complete(foreign.use(options))).toBe('INVALID_INPUT');
    expect(await complete(device.use(await challenge()))).toBe('INVALID_INPUT');
    const answer = device.use(await secondStepPasskeyOptions(db.ctx(), step));
    expect(await complete(answer)).toBe('done');
    expect(await complete(answer)).toBe('NOT_FOUND');
    expect(await codeOf(secondStepPasskeyOptions(db.ctx(), step))).toBe('NOT_FOUND');
  });

  it('confirms the owner’s identity, and turns two-step sign-in off', async () => {
    const { ctx, signedIn, device } = await keyHolder('step-up@example.org');
    await protect(ctx);
    const passkey = device.use(await confirmPasskeyOptions(ctx));
    const { token } = await confirmWithPasskey(ctx, { passkey }, signedIn.token);
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
    expect(await codeOf(confirmWithPasskey(ctx, { passkey }, token))).toBe('INVALID_INPUT');
    const { device: foreign } = await keyHolder('step-up-other@example.org');
    const borrowed = foreign.use(await confirmPasskeyOptions(ctx));
    expect(await codeOf(endSecondFactor(ctx, { passkey: borrowed }))).toBe('INVALID_INPUT');
    await endSecondFactor(ctx, { passkey: device.use(await confirmPasskeyOptions(ctx)) });
    expect((await getSecondFactor(ctx)).onSince).toBeNull();
  });

  it('is removed by a reset by mail, which leaves the authenticator app', async () => {
    const { ctx, email, device } = await keyHolder('reset@example.org');
    const code = await protect(ctx);
    await askForPasswordReset(db.ctx(), { email });
    const secret = /reset-password\/([A-Za-z0-9_-]+)/.exec((await db.mails()).at(-1)?.text ?? '')?.[1] ?? '';
    const password = 'green-lamp-82';
    await resetPassword(db.ctx(), secret, { password, confirmPassword: password });
    expect(await entered(device.use(await challenge()))).toBe('INVALID_INPUT');
    expect(await stepOf(email, password)).not.toBe('');
    expect(code()).toMatch(/^\d{6}$/);
  });
});
