import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { keepDemoInterest } from '#app/features/demo/index.server.ts';
import { beginProviderVisit } from '#app/features/accounts/provider-sign-in.server.ts';
import { registerProgram } from '#app/features/accounts/program-connections.server.ts';
import { signInPasskeyOptions } from '#app/features/accounts/passkeys.server.ts';
import { register, startDemoAccount } from '#app/features/accounts/registration.server.ts';
import { openSharedReport, shareReport } from '#app/features/reports/report-shares.server.ts';
import { confirmPushShown } from '#app/features/reminders/push-proof.server.ts';
import { readCalendarFeed } from '#app/features/schedules/calendar-feed.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES, type ThrottleRule } from '#app/platform/access/throttle.server.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { createApiToken, resolveApiToken } from '#app/features/accounts/api-tokens.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { askForEmailChange, checkEmailLink } from '#app/features/accounts/email-change.server.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { askForPasswordReset, checkResetLink } from '#app/features/accounts/password-change.server.ts';
import { resolveSession, startSession } from '#app/features/accounts/sessions.server.ts';
import { signIn, checkChallenge } from '#app/features/accounts/sign-in.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD, registration } from '#tests/support/people.ts';

/** Security checks that concern more than one operation. */
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '0.1' } });
});
afterAll(() => db.dispose());

let clients = 0;
const from = () => db.ctx(undefined, { address: `198.51.100.${(clients += 1)}` });

async function person(email: string) {
  db.clock.advance(3_600_000);
  return newPerson(db, email);
}

async function admin(email: string) {
  await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD, role: 'admin' });
  const { token, user } = await signIn(from(), { email, password: PASSWORD });
  return { token, id: user.id, ctx: await ctxOfToken(db, token) };
}

describe('a removed role', () => {
  it('is gone at the next request of a running session', async () => {
    const { token, id, ctx } = await admin('demoted@example.org');
    expect(await codeOf(adminStats(ctx))).toBe('done');
    await db.repos.users.setRole(id, 'user');
    const next = await ctxOfToken(db, token);
    expect(await codeOf(adminStats(next))).toBe('FORBIDDEN');
    await db.repos.users.setRole(id, 'admin');
    expect(await codeOf(adminStats(await ctxOfToken(db, token)))).toBe('done');
  });
});

describe('an admin’s change to an account', () => {
  it('needs a recent sign-in, and writes nothing without one', async () => {
    const { email, signedIn } = await person('customer@example.org');
    const { token } = await admin('late-admin@example.org');
    db.clock.advance(15 * 60_000);
    const ctx = await ctxOfToken(db, token);
    expect(await codeOf(changeUser(ctx, 'suspend', { reason: 'test', email }))).toBe(
      'RECENT_SIGN_IN_REQUIRED',
    );
    expect((await db.repos.users.find(signedIn.user.id))?.suspendedAt).toBeNull();
    expect(await db.repos.audit.listAbout(signedIn.user.id, 5)).toEqual([]);
    expect(await codeOf(changeUser(db.ctx(TERMINAL), 'suspend', { reason: 'test', email }))).toBe('done');
    expect(await codeOf(changeUser(ctx, 'reinstate', { reason: 'test', email }))).toBe(
      'RECENT_SIGN_IN_REQUIRED',
    );
  });
});

describe('the audit trail', () => {
  it('can be extended and read; no function changes it, and one removes what is older than the operator wants', () => {
    expect(Object.keys(db.repos.audit).toSorted()).toEqual(['append', 'listAbout']);
    expect(Object.keys(db.repos.auditLists).toSorted()).toEqual(['count', 'deleteBefore', 'list']);
  });

  it('refuses a second row with an existing id', async () => {
    const { signedIn } = await person('audited@example.org');
    const { id } = signedIn.user;
    const row = {
      id: 'a-row',
      at: db.clock.now(),
      ...{ actor: id, action: 'user.suspend', subjectId: id, before: {}, after: {}, reason: null, from: 'x' },
    };
    await db.repos.audit.append(row);
    await expect(db.repos.audit.append({ ...row, action: 'user.reinstate' })).rejects.toThrow();
    expect(await db.repos.audit.listAbout(id, 5)).toMatchObject([{ action: 'user.suspend' }]);
  });

  it('has one row for each admin change, with the values before and after', async () => {
    const { email, signedIn } = await person('changed@example.org');
    const { id, ctx } = await admin('one-row@example.org');
    await changeUser(ctx, 'suspend', { email, reason: 'chargeback' });
    expect(await codeOf(changeUser(ctx, 'suspend', { reason: 'test', email }))).toBe('ALREADY_SUSPENDED');
    expect(await db.repos.audit.listAbout(signedIn.user.id, 5)).toMatchObject([
      {
        action: 'user.suspend',
        actor: id,
        reason: 'chargeback',
        before: { suspended: false },
        after: { suspended: true },
      },
    ]);
  });
});

describe('a secret issued for one purpose', () => {
  it('does not work for any other', async () => {
    const { email, ctx, signedIn } = await person('secrets@example.org');
    await askForPasswordReset(from(), { email });
    await askForEmailChange(ctx, { email: 'secrets-new@example.org' });
    const mails = (await db.mails()).map(({ text }) => text).join('\n');
    const linked = (page: string) => new RegExp(`/${page}/([A-Za-z0-9_-]+)`).exec(mails)?.[1] ?? '';
    const { secret } = await createApiToken(ctx, { name: 'x', scope: 'write', life: '30' });
    const secrets = {
      reset: linked('reset-password'),
      email: linked('confirm-email'),
      session: signedIn.token,
      api: secret,
    };
    const refused = () => Promise.reject(new AppError('UNAUTHENTICATED', 'refused'));
    const doors = {
      reset: (token: string) => checkResetLink(db.ctx(), token),
      email: (token: string) => checkEmailLink(db.ctx(), token),
      session: async (token: string) => (await resolveSession(db.ctx(), token)) ?? refused(),
      api: async (token: string) => (await resolveApiToken(db.ctx(), token)) ?? refused(),
      step: (token: string) => checkChallenge(db.ctx(), token),
    };
    for (const [kind, token] of Object.entries(secrets)) {
      for (const [door, open] of Object.entries(doors))
        expect((await codeOf(open(token))) === 'done', `${kind} at ${door}`).toBe(kind === door);
    }
  });

  it('is never stored in plain text', async () => {
    const { ctx, signedIn } = await person('stored@example.org');
    const { secret } = await createApiToken(ctx, { name: 'x', scope: 'read', life: 'never' });
    const database = testConnection(db).db;
    for (const { name } of (await database?.listCollections().toArray()) ?? []) {
      const rows = JSON.stringify(await database?.collection(name).find().toArray());
      expect(rows, name).not.toContain(signedIn.token);
      expect(rows, name).not.toContain(secret.slice(9));
      expect(rows, name).not.toContain(PASSWORD);
    }
  });
});

describe('exports', () => {
  it('are limited per account', async () => {
    const { ctx } = await person('exports@example.org');
    const other = await person('exports-too@example.org');
    const input = { format: 'csv' as const, types: ['calculations' as const] };
    for (let count = 0; count < 12; count += 1)
      expect(await codeOf(prepareExport(ctx, input)), `export ${count + 1}`).toBe('done');
    expect(await codeOf(prepareExport(ctx, input))).toBe('RATE_LIMITED');
    expect(await codeOf(prepareExport(other.ctx, input))).toBe('done');
  });
});

describe('a client limit', () => {
  it('counts one IPv6 network as one client, whichever of its addresses it uses', async () => {
    const strict = await openTestDatabase({
      env: { RATE_LIMIT_FACTOR: '0.001', OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'nobody' },
    });
    try {
      const { ctx: owner } = await newPerson(strict, 'owner@example.org', { plan: 'trial' });
      const { secret } = await shareReport(owner, { start: '2090-01-01', end: '2090-01-31', days: '7' });
      let turn = 0;
      const someone = () => `someone-${(turn += 1)}@example.org`;
      const calls: Readonly<Record<string, (ctx: Ctx) => Promise<unknown>>> = {
        signInClient: (ctx) => signIn(ctx, { email: someone(), password: 'a-wrong-guess' }),
        passkeyChallenge: (ctx) => signInPasskeyOptions(ctx),
        providerVisit: (ctx) => beginProviderVisit(ctx, { provider: 'oidc', use: 'sign-in' }),
        apiClient: (ctx) => ctx.throttle.take({ rule: THROTTLE_RULES.apiClient, who: ctx.client.address }),
        programRegistration: (ctx) => registerProgram(ctx, { redirect_uris: ['https://example.org/'] }),
        registration: (ctx) => register(ctx, registration(someone())),
        resetClient: (ctx) => askForPasswordReset(ctx, { email: someone() }),
        demo: (ctx) => startDemoAccount(ctx, { timeZone: 'UTC', fill: () => Promise.resolve() }),
        demoInterest: (ctx) => keepDemoInterest(ctx, { email: someone() }),
        reportShareView: (ctx) => openSharedReport(ctx, secret),
        calendarClient: (ctx) => readCalendarFeed(ctx, 'no-such-feed'),
        pushShown: (ctx) => confirmPushShown(ctx, 'no-such-secret'),
      };
      const limits = Object.entries<ThrottleRule>(THROTTLE_RULES).filter(([, { per }]) => per === 'client');
      expect(Object.keys(calls).toSorted()).toEqual(limits.map(([name]) => name).toSorted());
      for (const [name, call] of Object.entries(calls)) {
        const at = (address: string) => codeOf(call(strict.ctx(undefined, { address })));
        expect(await at('2001:db8:7:7::1'), name).not.toBe('RATE_LIMITED');
        expect(await at('2001:db8:7:7:ffff:1:2:3'), name).toBe('RATE_LIMITED');
        expect(await at('2001:db8:7:8::1'), name).not.toBe('RATE_LIMITED');
        expect(await at('::ffff:198.51.100.7'), name).not.toBe('RATE_LIMITED');
        expect(await at('198.51.100.7'), name).toBe('RATE_LIMITED');
      }
    } finally {
      await strict.dispose();
    }
  });
});

describe('correct sign-ins', () => {
  const LIMIT = 10;

  it('are limited per account, and those refused cost no work, while others sign in', async () => {
    const { email } = await person('forty-at-once@example.org');
    const other = await person('somebody-else@example.org');
    // Work of native code in another thread has no name here; below, that is only hashing a password.
    let hashes = 0;
    const hook = createHook({ init: (_id, kind) => void (hashes += String(kind) === 'undefined' ? 1 : 0) });
    hook.enable();
    const client = db.ctx(undefined, { address: '203.0.113.40' });
    const many = Array.from({ length: 40 }, () => signIn(client, { email, password: PASSWORD }));
    const theirs = signIn(client, { email: other.email, password: PASSWORD });
    const codes = await Promise.all([...many, theirs].map(codeOf));
    hook.disable();
    expect(codes.at(-1)).toBe('done');
    expect(codes.slice(0, -1).filter((code) => code === 'done')).toHaveLength(LIMIT);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(40 - LIMIT);
    // Two run at once, so one more may have begun when the last of them was counted.
    expect(hashes).toBeLessThanOrEqual(LIMIT + 2 + 1);
    await expect(signIn(client, { email, password: PASSWORD })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 900,
    });
    db.clock.advance(900_000);
    expect(await codeOf(signIn(client, { email, password: PASSWORD }))).toBe('done');
  });

  it('leave at most fifty sessions, without the oldest', async () => {
    const { email, signedIn } = await person('fifty@example.org');
    const { id } = signedIn.user;
    const first: string[] = [];
    for (let count = 1; count < 50; count += 1) {
      db.clock.advance(1000);
      first.push((await startSession(from(), id, { remember: true })).session.id);
    }
    expect(await db.repos.sessions.list(id, db.clock.now())).toHaveLength(50);
    db.clock.advance(1000);
    const last = await Promise.all(
      Array.from({ length: 4 }, () => signIn(from(), { email, password: PASSWORD })),
    );
    const left = (await db.repos.sessions.list(id, db.clock.now())).map(({ signInId }) => signInId);
    expect(left.toSorted()).toEqual([...first.slice(3), ...last.map(({ session }) => session.id)].toSorted());
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
  });
});
