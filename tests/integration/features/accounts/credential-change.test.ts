import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForEmailChange, confirmEmail } from '#app/features/accounts/email-change.server.ts';
import { createApiToken } from '#app/features/accounts/api-tokens.server.ts';
import { linkIdentity, listSignInWays, unlinkIdentity } from '#app/features/accounts/identities.server.ts';
import {
  addPasskey,
  addPasskeyOptions,
  listPasskeys,
  removePasskey,
} from '#app/features/accounts/passkeys.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '#app/features/accounts/second-factor.server.ts';
import {
  listOpenLinks,
  changePassword,
  askForPasswordReset,
  resetPassword,
} from '#app/features/accounts/password-change.server.ts';
import { resolveSession, revokeSession, rotateSession } from '#app/features/accounts/sessions.server.ts';
import { beginSignIn, completeSignIn, signIn } from '#app/features/accounts/sign-in.server.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { listReportShares, shareReport } from '#app/features/reports/report-shares.server.ts';
import { changeCalendarFeed } from '#app/features/schedules/calendar-feed.server.ts';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD, type Person } from '#tests/support/people.ts';
import { sized } from '#tests/support/size.ts';

/** A change of password or address ends all earlier access, whatever runs at the same time. */
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const NEXT = 'green-lamp-82';
const change = (ctx: Person['ctx'], more: { endLinks?: boolean; code?: string } = {}) =>
  changePassword(ctx, { currentPassword: PASSWORD, newPassword: NEXT, confirmPassword: NEXT, ...more });

const signIns = (userId: string) => db.repos.sessions.list(userId, db.clock.now());

/** Signs in with an address and password again and again until `isOver`. */
async function keepSigningIn(email: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) await codeOf(signIn(db.ctx(), { email, password: PASSWORD }));
}

/** Runs a change while six loops sign in with the old credentials, until shortly after it. */
async function whileSixSignIn(email: string, run: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const loops = Array.from({ length: 6 }, () => keepSigningIn(email, () => isOver));
  await codeOf(signIn(db.ctx(), { email, password: PASSWORD }));
  await run();
  isOver = true;
  await Promise.all(loops);
}

/** The secret of the last mail to an address that has one. */
async function mailedSecret(email: string, folder: string): Promise<string> {
  const pattern = new RegExp(`/${folder}/([A-Za-z0-9_-]+)`);
  const texts = (await db.mails()).filter(({ to }) => to === email).map(({ text }) => text);
  return texts.flatMap((text) => pattern.exec(text)?.[1] ?? []).at(-1) ?? '';
}

describe('sign-ins that run while the password or address changes', () => {
  it('leave no session: after six loops with the old password only the one that changed it remains', async () => {
    const { email, ctx, signedIn } = await newPerson(db, 'races@example.org');
    await whileSixSignIn(email, () => change(ctx));
    const left = await signIns(signedIn.user.id);
    expect(left.map(({ signInId }) => signInId)).toEqual([signedIn.session.id]);
    expect(await codeOf(signIn(db.ctx(), { email, password: PASSWORD }))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(signIn(db.ctx(), { email, password: NEXT }))).toBe('done');
  });

  it('leave no session after a reset by mail', async () => {
    const { email, signedIn } = await newPerson(db, 'resets@example.org');
    await askForPasswordReset(db.ctx(), { email });
    const secret = await mailedSecret(email, 'reset-password');
    await whileSixSignIn(email, () =>
      resetPassword(db.ctx(), secret, { password: NEXT, confirmPassword: NEXT }),
    );
    expect(await signIns(signedIn.user.id)).toEqual([]);
  });

  it('leave no session after an address change except that of the confirming browser', async () => {
    const { email, ctx, signedIn } = await newPerson(db, 'moves@example.org');
    await askForEmailChange(ctx, { email: 'moved@example.org' });
    const secret = await mailedSecret('moved@example.org', 'confirm-email');
    await whileSixSignIn(email, () => confirmEmail(ctx, secret));
    const left = await signIns(signedIn.user.id);
    expect(left.map(({ signInId }) => signInId)).toEqual([signedIn.session.id]);
  });

  it('give no access to a code sent after the change, even if the first step ended after it', async () => {
    const { email, ctx, signedIn } = await newPerson(db, 'second-step@example.org');
    await beginSecondFactor(ctx);
    const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
    const [recovery = '', other = ''] = await confirmSecondFactor(ctx, {
      code: oneTimeCode(secret, db.clock.now()),
    });
    const { oneTimeSecrets } = db.repos;
    // The password is changed between the check of the old one and the challenge.
    const create = async (record: Parameters<typeof oneTimeSecrets.create>[0]) => {
      await change(ctx, { code: other });
      await oneTimeSecrets.create(record);
    };
    const visitor = db.ctx();
    const repos = visitor.repos.with({ oneTimeSecrets: { ...oneTimeSecrets, create } });
    const held = { ...visitor, repos };
    const step = await beginSignIn(held, { email, password: PASSWORD });
    const challenge = step.next === 'code' ? step.challenge : 'none was asked for';
    expect(await codeOf(completeSignIn(db.ctx(), challenge, { code: recovery }))).toBe('INVALID_CREDENTIALS');
    const left = await signIns(signedIn.user.id);
    expect(left.map(({ signInId }) => signInId)).toEqual([signedIn.session.id]);
  });

  it('are refused with an older revision, and leave no row', async () => {
    const { email, ctx, signedIn } = await newPerson(db, 'older@example.org');
    const base = db.ctx();
    // The change happens exactly between the check of the password and the act that starts the session.
    let changed: ReturnType<typeof change> | undefined;
    const transaction: Ctx['transaction'] = async (act) => {
      await (changed ??= change(ctx));
      return base.transaction(act);
    };
    const held = { ...base, transaction };
    expect(await codeOf(signIn(held, { email, password: PASSWORD }))).toBe('INVALID_CREDENTIALS');
    const left = await signIns(signedIn.user.id);
    expect(left.map(({ signInId }) => signInId)).toEqual([signedIn.session.id]);
  });
});

describe('simultaneous session refreshes', () => {
  it('let one of eight succeed, and leave one valid token', async () => {
    const { signedIn } = await newPerson(db, 'refreshes@example.org');
    const ctx = await ctxOfToken(db, signedIn.token);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => rotateSession(ctx, signedIn.token)),
    );
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(won).toHaveLength(1);
    expect(await signIns(signedIn.user.id)).toHaveLength(1);
    expect(await resolveSession(db.ctx(), won[0]?.token)).not.toBeNull();
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
  });

  it('keep the time of sign-in and the final expiry', async () => {
    const { email } = await newPerson(db, 'absolute@example.org');
    const signedIn = await signIn(db.ctx(), { email, password: PASSWORD, remember: true });
    let { token } = signedIn;
    for (let day = 1; day < 30; day += 7) {
      db.clock.advance(7 * 86_400_000);
      if (day > 22) break;
      const ctx = await ctxOfToken(db, token);
      const started = await rotateSession(ctx, token);
      expect(started.session.createdAt).toEqual(signedIn.session.createdAt);
      expect(started.session.expiresAt).toEqual(signedIn.session.expiresAt);
      ({ token } = started);
    }
    db.clock.advance(2 * 86_400_000);
    expect(await resolveSession(db.ctx(), token)).toBeNull();
  });

  it('do not revive a sign-in that is revoked meanwhile', async () => {
    for (let turn = 0; turn < sized(4, 10); turn += 1) {
      const { email, ctx } = await newPerson(db, `revoked-${turn}@example.org`);
      const { token, session, user } = await signIn(db.ctx(), { email, password: PASSWORD });
      const other = await ctxOfToken(db, token);
      await Promise.allSettled([rotateSession(other, token), revokeSession(ctx, session.id)]);
      const left = await signIns(user.id);
      expect(left.map(({ signInId }) => signInId)).not.toContain(session.id);
    }
  });
});

describe('links that work without signing in', () => {
  async function withLinks(email: string) {
    const person = await newPerson(db, email, { plan: 'trial' });
    await shareReport(person.ctx, { start: '2090-01-01', end: '2090-01-31', days: '7', label: 'Dr. Lind' });
    await changeCalendarFeed(person.ctx, { privacy: 'full' });
    expect(await listOpenLinks(person.ctx)).toEqual([
      'Report of 1 Jan 2090 to 31 Jan 2090, for Dr. Lind',
      'Calendar link',
    ]);
    return person;
  }

  it('are listed before a password change, and keep working by default', async () => {
    const { ctx } = await withLinks('keeps-links@example.org');
    await change(ctx);
    expect(await listOpenLinks(ctx)).toHaveLength(2);
  });

  it('end with a password change on request', async () => {
    const { ctx } = await withLinks('ends-links@example.org');
    await change(ctx, { endLinks: true });
    expect(await listOpenLinks(ctx)).toEqual([]);
  });

  it('end after a reset by mail', async () => {
    const { ctx, email } = await withLinks('resets-links@example.org');
    await askForPasswordReset(db.ctx(), { email });
    const secret = await mailedSecret(email, 'reset-password');
    await resetPassword(db.ctx(), secret, { password: NEXT, confirmPassword: NEXT });
    expect(await listOpenLinks(ctx)).toEqual([]);
    expect((await listReportShares(ctx)).map(({ state }) => state)).toEqual(['revoked']);
  });
});

describe('a known device', () => {
  const guess = (email: string, address: string, deviceToken?: string) =>
    codeOf(signIn(db.ctx(undefined, { address }), { email, password: 'a-wrong-guess' }, { deviceToken }));
  const right = (email: string, address: string) =>
    codeOf(signIn(db.ctx(undefined, { address }), { email, password: PASSWORD }));
  let strict: TestDatabase;
  beforeAll(async () => {
    strict = db;
    db = await openTestDatabase();
  });
  afterAll(async () => {
    await db.dispose();
    db = strict;
  });

  async function devicesOf(email: string, count: number): Promise<string[]> {
    const tokens: string[] = [];
    for (let one = 0; one < count; one += 1)
      tokens.push((await signIn(db.ctx(), { email, password: PASSWORD })).deviceToken);
    return tokens;
  }

  it('becomes unknown after a password change', async () => {
    const { email, ctx } = await newPerson(db, 'old-device@example.org');
    const [device = ''] = await devicesOf(email, 1);
    for (let turn = 0; turn < 10; turn += 1) await guess(email, '203.0.113.9');
    const known = signIn(
      db.ctx(undefined, { address: '203.0.113.10' }),
      { email, password: PASSWORD },
      { deviceToken: device },
    );
    expect(await codeOf(known)).toBe('done');
    await change(ctx);
    const after = signIn(
      db.ctx(undefined, { address: '203.0.113.11' }),
      { email, password: NEXT },
      { deviceToken: device },
    );
    expect(await codeOf(after)).toBe('RATE_LIMITED');
  });

  it('stays known in the browser that changed the password, with a new token', async () => {
    const { email, ctx } = await newPerson(db, 'own-device@example.org');
    const { deviceToken } = await change(ctx);
    for (let turn = 0; turn < 10; turn += 1) await guess(email, '203.0.113.19');
    const elsewhere = db.ctx(undefined, { address: '203.0.113.20' });
    const credentials = { email, password: NEXT };
    expect(await codeOf(signIn(elsewhere, credentials))).toBe('RATE_LIMITED');
    expect(await codeOf(signIn(elsewhere, credentials, { deviceToken }))).toBe('done');
  });

  it('allows at most twenty guesses together with four others', async () => {
    const { email } = await newPerson(db, 'five-devices@example.org');
    const devices = await devicesOf(email, 5);
    const answers: string[] = [];
    for (const [index, device] of devices.entries())
      for (let turn = 0; turn < 10; turn += 1)
        answers.push(await guess(email, `198.51.100.${index}`, device));
    expect(answers.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(20);
  });

  it('counts against the client as well', async () => {
    const address = '198.51.100.77';
    const answers: string[] = [];
    for (let person = 0; person < 6; person += 1) {
      const { email } = await newPerson(db, `many-devices-${person}@example.org`);
      const [device = ''] = await devicesOf(email, 1);
      for (let turn = 0; turn < 10; turn += 1) answers.push(await guess(email, address, device));
    }
    expect(answers.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(50);
  });

  it('lets its owner in while sixty guesses run at once, from a known browser or address', async () => {
    const { email } = await newPerson(db, 'under-fire@example.org');
    const [device = ''] = await devicesOf(email, 1);
    const guesses = Array.from({ length: 60 }, (_, index) => guess(email, `203.0.113.${index % 6}`));
    const elsewhere = db.ctx(undefined, { address: '203.0.113.200' });
    const owner = [
      signIn(elsewhere, { email, password: PASSWORD }, { deviceToken: device }),
      signIn(db.ctx(), { email, password: PASSWORD }),
    ];
    expect(await Promise.all(owner.map(codeOf))).toEqual(['done', 'done']);
    const answers = await Promise.all(guesses);
    expect(answers.filter((code) => code === 'INVALID_CREDENTIALS').length).toBeLessThanOrEqual(10);
    expect(answers.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(50);
    expect(await codeOf(signIn(elsewhere, { email, password: PASSWORD }, { deviceToken: device }))).toBe(
      'done',
    );
  });

  it('is not locked out at a known address by ten failures elsewhere', async () => {
    const { email } = await newPerson(db, 'scripts@example.org');
    for (let turn = 0; turn < 12; turn += 1) await guess(email, '203.0.113.66');
    expect(await right(email, '203.0.113.67')).toBe('RATE_LIMITED');
    expect(await codeOf(signIn(db.ctx(), { email, password: PASSWORD }))).toBe('done');
  });
});

describe('the owner gets a mail', () => {
  const subjects = async (email: string) =>
    (await db.mails()).filter(({ to }) => to === email).map(({ subject }) => subject);

  it('about a sign-in from a new browser and address, and no other', async () => {
    const { email } = await newPerson(db, 'told@example.org');
    const { deviceToken } = await signIn(db.ctx(), { email, password: PASSWORD });
    expect(await subjects(email)).toEqual([]);
    const elsewhere = db.ctx(undefined, {
      address: '203.0.113.200',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    });
    await signIn(elsewhere, { email, password: PASSWORD }, { deviceToken });
    expect(await subjects(email)).toEqual([]);
    const stranger = db.ctx(undefined, { address: '203.0.113.201', userAgent: elsewhere.client.userAgent });
    await signIn(stranger, { email, password: PASSWORD });
    expect(await subjects(email)).toEqual(['New sign-in to your Vialbook account']);
    const text = (await db.mails()).find(({ to }) => to === email)?.text;
    expect(text).toContain('Firefox on Linux');
    expect(text).toContain('203.0.113.201');
    await signIn(stranger, { email, password: PASSWORD });
    expect(await subjects(email)).toHaveLength(1);
  });

  /** Every change to how the account is accessed, and the mail to its owner. */
  const CHANGES: Record<string, { make(person: Person): Promise<unknown>; tells: readonly string[] }> = {
    'a new password': {
      make: ({ ctx }) => change(ctx),
      tells: ['Your Vialbook password was changed'],
    },
    'a password set by mail': {
      async make({ email }) {
        await askForPasswordReset(db.ctx(), { email });
        const secret = await mailedSecret(email, 'reset-password');
        await resetPassword(db.ctx(), secret, { password: NEXT, confirmPassword: NEXT });
      },
      tells: ['Reset your Vialbook password', 'Your Vialbook password was changed'],
    },
    'another address': {
      async make({ ctx, email }) {
        await askForEmailChange(ctx, { email: `next-${email}` });
        await confirmEmail(ctx, await mailedSecret(`next-${email}`, 'confirm-email'));
      },
      tells: [
        'Someone asked to change the email address of your Vialbook account',
        'The email address of your Vialbook account was changed',
      ],
    },
    'two-step sign-in, on, with new codes, with one used, and off': {
      async make({ ctx, email }) {
        await beginSecondFactor(ctx);
        const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
        await confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
        const [code = ''] = await renewRecoveryCodes(ctx);
        const step = await beginSignIn(db.ctx(), { email, password: PASSWORD });
        await completeSignIn(db.ctx(), step.next === 'code' ? step.challenge : '', { code });
        db.clock.advance(30_000);
        await endSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
      },
      tells: [
        'Two-step sign-in is on',
        'New recovery codes were created',
        'A recovery code was used',
        'Two-step sign-in is off',
      ],
    },
    'a passkey, added and removed': {
      async make({ ctx }) {
        const passkey = new Authenticator(ctx.appUrl).make(await addPasskeyOptions(ctx));
        await addPasskey(ctx, { name: 'Phone', passkey });
        await removePasskey(ctx, (await listPasskeys(ctx))[0]?.id ?? '');
      },
      tells: ['A passkey was added', 'A passkey was removed'],
    },
    'a link with a provider, added and removed': {
      async make({ ctx }) {
        await linkIdentity(ctx, { issuer: 'https://id.example', subject: ctx.appUrl, email: null });
        await unlinkIdentity(ctx, (await listSignInWays(ctx)).identities[0]?.id ?? '');
      },
      tells: ['Sign-in with id.example was added', 'Sign-in with id.example was removed'],
    },
    'a second factor and a passkey taken away by an administrator': {
      async make({ ctx, email }) {
        await beginSecondFactor(ctx);
        const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
        await confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
        const passkey = new Authenticator(ctx.appUrl).make(await addPasskeyOptions(ctx));
        await addPasskey(ctx, { name: 'Phone', passkey });
        await changeUser(db.ctx(TERMINAL), 'reset-second-factor', { email, reason: 'lost phone' });
        expect(await listPasskeys(ctx)).toEqual([]);
      },
      tells: [
        'Two-step sign-in is on',
        'A passkey was added',
        'Two-step sign-in is off',
        'A passkey was removed',
      ],
    },
    'an API token': {
      make: ({ ctx }) => createApiToken(ctx, { name: 'Script', scope: 'read', life: '30' }),
      tells: ['An API token was created'],
    },
  };

  it.each(Object.keys(CHANGES))('about every change to how the account is accessed: %s', async (what) => {
    const person = await newPerson(db, `${what.toLowerCase().replace(/\W+/g, '-')}@example.org`);
    await CHANGES[what]?.make(person);
    // Mails of one act may arrive in any order.
    expect((await subjects(person.email)).toSorted()).toEqual(CHANGES[what]?.tells.toSorted());
  });
});
