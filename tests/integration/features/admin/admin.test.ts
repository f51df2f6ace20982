import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { listUsers } from '#app/features/admin/users/users.server.ts';
import { countAccounts } from '#app/features/admin/account-count.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { getAccount } from '#app/features/accounts/profile.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { saveCalculation } from '#app/features/calculator/calculations.server.ts';
import { calculation } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';

let db: TestDatabase;
let terminal: Ctx;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  terminal = db.ctx(TERMINAL, { address: 'terminal' });
});
afterAll(() => db.dispose());

const admin = (email: string) => createAdmin(terminal, { email, password: PASSWORD });
const signedIn = async (email: string) =>
  ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token);

describe('creating admin accounts', () => {
  it('makes exactly the first one super admin, even of several at once, and later ones admins', async () => {
    const local = await openTestDatabase();
    try {
      const ctx = local.ctx(TERMINAL);
      const made = await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) =>
          createAdmin(ctx, { email: `${name}@example.org`, password: PASSWORD }),
        ),
      );
      expect(made.map(({ role }) => role).sort()).toEqual(['admin', 'admin', 'admin', 'super_admin']);
    } finally {
      await local.dispose();
    }
  });

  it('gives the requested role, and refuses unknown roles and emails that are taken', async () => {
    const boss = await createAdmin(terminal, {
      email: 'boss@example.org',
      password: PASSWORD,
      role: 'super_admin',
    });
    expect(boss.role).toBe('super_admin');
    const odd = { email: 'odd@example.org', password: PASSWORD, role: 'user' as 'admin' };
    await expect(createAdmin(terminal, odd)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(admin('BOSS@example.org')).rejects.toMatchObject({ conflict: 'ALREADY_EXISTS' });
    await expect(
      createAdmin(terminal, { email: 'weak@example.org', password: 'password123' }),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { password: [expect.stringContaining('common')] },
    });
  });

  it('is possible only at the terminal', async () => {
    const boss = await signedIn('boss@example.org');
    for (const ctx of [boss, db.ctx()]) {
      await expect(createAdmin(ctx, { email: 'sly@example.org', password: PASSWORD })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    }
  });

  it('writes an audit entry that names people by id', async () => {
    const made = await admin('audited@example.org');
    const [row] = await db.repos.audit.listAbout(made.id, 10);
    expect(row).toMatchObject({
      actor: 'cli:operator',
      action: 'admin.create',
      after: { role: 'admin' },
      from: 'terminal',
      at: db.clock.now(),
    });
    expect(JSON.stringify(row)).not.toContain('example.org');
  });
});

describe('suspending an account', () => {
  it('ends the person’s session at the next request and says why, then and at sign-in', async () => {
    const { ctx, email, signedIn: session } = await newPerson(db, 'bad@example.org', { plan: 'trial' });
    const view = await changeUser(terminal, 'suspend', { email, reason: 'abuse' });
    expect(view).toMatchObject({ subscription: 'free', subscriptionStatus: 'canceled' });
    const told = { code: 'SUSPENDED', message: 'This account is suspended. Contact support.' };
    await expect(resolveSession(db.ctx(), session.token)).rejects.toMatchObject(told);
    await expect(signIn(db.ctx(), { email, password: PASSWORD })).rejects.toMatchObject(told);
    await expect(signIn(db.ctx(), { email, password: 'wrong-password' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    const [row] = await db.repos.audit.listAbout((await getAccount(ctx)).id, 1);
    expect(row).toMatchObject({
      action: 'user.suspend',
      before: { suspended: false, subscription: 'premium', subscriptionStatus: 'trial' },
      after: { suspended: true, subscription: 'free', subscriptionStatus: 'canceled' },
      reason: 'abuse',
    });
  });

  it('is lifted by reinstating, but the subscription stays canceled and old sessions stay ended', async () => {
    const { email, signedIn: session } = await newPerson(db, 'back@example.org');
    await changeUser(terminal, 'suspend', { reason: 'test', email });
    expect(await changeUser(terminal, 'reinstate', { reason: 'test', email })).toMatchObject({
      subscription: 'free',
      subscriptionStatus: 'canceled',
    });
    expect(await resolveSession(db.ctx(), session.token)).toBeNull();
    expect((await signIn(db.ctx(), { email, password: PASSWORD })).user.subscriptionStatus).toBe('canceled');
  });

  it('deletes a free session’s calculations and lets it save no more', async () => {
    const { ctx, email } = await newPerson(db, 'held@example.org');
    await saveCalculation(ctx, calculation());
    await changeUser(terminal, 'suspend', { reason: 'test', email });
    const rows = await testConnection(db)
      .collection('calculations')
      .countDocuments({ userId: (ctx.actor as { id: string }).id });
    expect(rows).toBe(0);
    await expect(saveCalculation(ctx, calculation())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('happens once when several administrators do it at once', async () => {
    const { email } = await newPerson(db, 'once@example.org');
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => changeUser(terminal, 'suspend', { reason: 'test', email })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(changeUser(terminal, 'suspend', { reason: 'test', email })).rejects.toMatchObject({
      conflict: 'ALREADY_SUSPENDED',
    });
    await changeUser(terminal, 'reinstate', { reason: 'test', email });
    await expect(changeUser(terminal, 'reinstate', { reason: 'test', email })).rejects.toMatchObject({
      conflict: 'NOT_SUSPENDED',
    });
    await expect(
      changeUser(terminal, 'suspend', { reason: 'test', email: 'nobody@example.org' }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('never leaves the server without a super admin', async () => {
    const local = await openTestDatabase();
    try {
      const ctx = local.ctx(TERMINAL);
      const make = (email: string) => createAdmin(ctx, { email, password: PASSWORD, role: 'super_admin' });
      await make('one@example.org');
      await make('two@example.org');
      const results = await Promise.allSettled(
        ['one@example.org', 'two@example.org'].map((email) =>
          changeUser(ctx, 'suspend', { reason: 'test', email }),
        ),
      );
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    } finally {
      await local.dispose();
    }
  });

  it('is allowed to admins for users, to super admins for admins, and to nobody for themselves', async () => {
    await createAdmin(terminal, { email: 'super@example.org', password: PASSWORD, role: 'super_admin' });
    await createAdmin(terminal, { email: 'plain@example.org', password: PASSWORD, role: 'admin' });
    const user = await newPerson(db, 'user@example.org');
    const plain = await signedIn('plain@example.org');
    const top = await signedIn('super@example.org');
    const refused = { code: 'FORBIDDEN' };
    await expect(
      changeUser(db.ctx(), 'suspend', { reason: 'test', email: user.email }),
    ).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    await expect(
      changeUser(user.ctx, 'suspend', { reason: 'test', email: 'plain@example.org' }),
    ).rejects.toMatchObject(refused);
    await expect(
      changeUser(user.ctx, 'suspend', { reason: 'test', email: 'no-such@example.org' }),
    ).rejects.toMatchObject(refused);
    await expect(
      changeUser(plain, 'suspend', { reason: 'test', email: 'super@example.org' }),
    ).rejects.toMatchObject(refused);
    await expect(
      changeUser(top, 'suspend', { reason: 'test', email: 'super@example.org' }),
    ).rejects.toMatchObject(refused);
    expect(await changeUser(plain, 'suspend', { reason: 'test', email: user.email })).toMatchObject({
      subscriptionStatus: 'canceled',
    });
    expect(await changeUser(top, 'suspend', { reason: 'test', email: 'plain@example.org' })).toMatchObject({
      subscriptionStatus: 'canceled',
    });
  });
});

describe('admin statistics', () => {
  it('count each premium account once, from any number of sources of Premium', async () => {
    const local = await openTestDatabase();
    try {
      const users = testConnection(local).collection<{ _id: string }>('users');
      const now = local.clock.now().getTime();
      const [past, future] = [new Date(now - 1000), new Date(now + 1000)];
      const sets: object[] = [];
      for (const billingStatus of ['none', 'active', 'past_due', 'canceled'])
        for (const grantedAt of [null, past])
          for (const creditUntil of [null, past, future])
            for (const trialEndsAt of [null, past, future])
              for (const suspendedAt of [null, past])
                for (const pastDueSince of billingStatus === 'past_due' ? [past, new Date(0)] : [null])
                  sets.push({
                    billingStatus,
                    grantedAt,
                    creditUntil,
                    trialEndsAt,
                    suspendedAt,
                    pastDueSince,
                  });
      await users.insertMany(
        sets.map((set, n) => ({
          _id: `u${n}`,
          email: `u${n}@x.example`,
          lastSeenAt: past,
          lastLogin: past,
          ...set,
        })) as never[],
      );
      const premium = sets.filter((set) => entitlementOf(set as never, local.ctx(TERMINAL)).isPremium).length;
      expect(premium).toBeGreaterThan(50);
      expect(await adminStats(local.ctx(TERMINAL))).toMatchObject({
        totalUsers: sets.length,
        premiumUsers: premium,
        freeUsers: sets.length - premium,
        activeUsers: sets.length,
      });
    } finally {
      await local.dispose();
    }
  });

  it('do not count accounts that have never signed in as active', async () => {
    const local = await openTestDatabase();
    try {
      const ctx = local.ctx(TERMINAL);
      await createAdmin(ctx, { email: 'made@example.org', password: PASSWORD, role: 'admin' });
      expect(await adminStats(ctx)).toMatchObject({ totalUsers: 1, activeUsers: 0 });
      expect((await listUsers(ctx, { active: '30' })).users).toEqual([]);
    } finally {
      await local.dispose();
    }
  });

  it('count accounts by their current entitlement, and those active in the last 30 days', async () => {
    const local = await openTestDatabase();
    try {
      const ctx = local.ctx(TERMINAL);
      await newPerson(local, 'old@example.org', { plan: 'trial' });
      local.clock.advance(31 * 86_400_000);
      await newPerson(local, 'trial@example.org', { plan: 'trial' });
      await newPerson(local, 'free@example.org');
      const gone = await newPerson(local, 'gone@example.org', { plan: 'trial' });
      await changeUser(ctx, 'suspend', { reason: 'test', email: gone.email });
      const events = testConnection(local).collection('subscription_events');
      const at = (days: number) => new Date(local.clock.now().getTime() - days * 86_400_000);
      const event = (id: string, amountCents: number, days: number, status = 'success') =>
        ({ _id: id, userId: 'u', eventType: 'payment', amountCents, status, createdAt: at(days) }) as never;
      await events.insertMany([
        event('1', 500, 1),
        event('2', 3000, 29),
        event('3', -500, 0),
        event('4', 500, 31),
        event('5', 500, 1, 'failed'),
      ]);
      const counted = {
        totalUsers: 4,
        premiumUsers: 1,
        freeUsers: 3,
        monthlyRevenue: 30,
        activeUsers: 3,
      };
      expect(await adminStats(ctx)).toEqual(counted);
      // Of many accounts, the figures are as the worker has them, once it has counted all.
      expect(await adminStats(ctx, 0)).toEqual(counted);
      await countAccounts(ctx);
      await newPerson(local, 'late@example.org', { plan: 'trial' });
      expect(await adminStats(ctx, 0)).toEqual(counted);
      expect((await adminStats(ctx)).totalUsers).toBe(5);
      await countAccounts(ctx);
      expect(await adminStats(ctx, 0)).toMatchObject({ totalUsers: 5, premiumUsers: 2 });
    } finally {
      await local.dispose();
    }
  });

  it('are only for admins', async () => {
    const user = await newPerson(db, 'curious@example.org');
    await expect(adminStats(user.ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(countAccounts(user.ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(adminStats(db.ctx())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
