import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { viewUser } from '#app/features/admin/users/user-detail.server.ts';
import type { UserChangeInput } from '#app/domain/admin/admin-schema.ts';
import type { UserChange } from '#app/domain/admin/user-changes.ts';
import { readAccessLog } from '#app/features/accounts/access-log.server.ts';
import { purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, type Person } from '#tests/support/people.ts';
import { newAdmin, signedInAs } from './admin-people.ts';

let db: TestDatabase;
let admin: Ctx;
let top: Ctx;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
  top = await newAdmin(db, 'top@example.org', 'super_admin');
  admin = await newAdmin(db, 'admin@example.org');
});
afterAll(() => db.dispose());

let people = 0;
const person = (more = {}): Promise<Person> => newPerson(db, `somebody-${(people += 1)}@example.org`, more);
const idOf = ({ signedIn }: Person) => signedIn.user.id;
const auditOf = (id: string) => db.repos.audit.listAbout(id, 50);

/** Everything that is stored about an account, and who is super admin. */
async function storedAbout(id: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { schema, collection } of Object.values(testConnection(db).models)) {
    const name = collection.collectionName;
    const filter = name === 'users' ? { _id: id as never } : { userId: id };
    if (name === 'role_holders') found.push(...(await collection.find().toArray()));
    else if (name === 'users' || schema.path('userId'))
      found.push(...(await collection.find(filter).toArray()));
  }
  return [...found, await auditOf(id)];
}

/** The most recent session. */
async function sessionOf(email: string): Promise<string | undefined> {
  const id = await db.repos.addresses.findOwner(email);
  return id === null ? undefined : (await db.repos.sessions.listSignIns(id)).at(-1);
}

/** Makes a change, with the email typed again for a deletion and the session's id for ending a session. */
const make = async (ctx: Ctx, change: UserChange, input: Partial<UserChangeInput> & { email: string }) =>
  changeUser(ctx, change, {
    reason: 'a test',
    ...input,
    ...(change === 'delete' ? { confirmEmail: input.email } : {}),
    ...(change === 'end-session' ? { session: await sessionOf(input.email) } : {}),
  });

/** Every change of an account, the changes that must come first, and the audit entry it leaves. */
const CHANGES: readonly {
  action: string;
  change: UserChange;
  by?: 'top';
  first?: (it: Person) => Promise<unknown>;
}[] = [
  { action: 'user.suspend', change: 'suspend' },
  {
    action: 'user.reinstate',
    change: 'reinstate',
    first: ({ email }) => changeUser(admin, 'suspend', { reason: 'test', email }),
  },
  { action: 'user.upgrade', change: 'upgrade' },
  {
    action: 'user.downgrade',
    change: 'downgrade',
    first: ({ email }) => changeUser(admin, 'upgrade', { reason: 'test', email }),
  },
  { action: 'user.sign-out', change: 'sign-out' },
  { action: 'user.end-session', change: 'end-session' },
  {
    action: 'user.reset-second-factor',
    change: 'reset-second-factor',
    first: (it) => db.repos.users.setSecondFactor(idOf(it), db.clock.now()),
  },
  { action: 'user.change-role', change: 'promote', by: 'top' },
  {
    action: 'user.change-role',
    change: 'demote',
    by: 'top',
    first: ({ email }) => changeUser(top, 'promote', { reason: 'test', email }),
  },
  {
    action: 'user.delete',
    change: 'delete',
    by: 'top',
  },
];

describe.each(CHANGES)('$action', ({ action, change, by, first }) => {
  const actor = () => (by === 'top' ? top : admin);

  it('writes one audit entry and one line in the owner’s access log', async () => {
    const it = await person();
    await first?.(it);
    const known = (await auditOf(idOf(it))).length;
    db.clock.advance(1000);
    const view = await make(actor(), change, { email: it.email, reason: 'asked by mail' });
    expect(view.email).toBe(it.email);
    const rows = await auditOf(idOf(it));
    expect(rows).toHaveLength(known + 1);
    const [row] = rows;
    expect(row).toMatchObject({
      action,
      actor: (actor().actor as { id: string }).id,
      subjectId: idOf(it),
      reason: 'asked by mail',
      from: '192.0.2.1',
    });
    expect(JSON.stringify(row)).not.toContain('example.org');
    if (action !== 'user.sign-out') expect(row?.before).not.toEqual(row?.after);
    const { entries } = await readAccessLog(it.ctx);
    expect(entries).toContainEqual(
      expect.objectContaining({ who: 'An administrator', reason: 'asked by mail', from: null }),
    );
  });

  it('is not made at all when its audit entry cannot be written, and can be made afterwards', async () => {
    const it = await person({ plan: 'trial' });
    await first?.(it);
    const known = await storedAbout(idOf(it));
    const mails = (await db.mails()).length;
    const append = () => Promise.reject(new Error('no space for the entry'));
    const whole = actor();
    const audit = { ...db.repos.audit, append };
    const broken = { ...whole, repos: whole.repos.with({ audit }) };
    await expect(make(broken, change, { email: it.email })).rejects.toThrow('no space for the entry');
    expect(await storedAbout(idOf(it))).toEqual(known);
    expect(await db.mails()).toHaveLength(mails);
    await make(actor(), change, { email: it.email });
    expect(await storedAbout(idOf(it))).not.toEqual(known);
  });

  it('fails for the second of two simultaneous administrators, and changes nothing', async () => {
    const it = await person();
    await first?.(it);
    const known = (await auditOf(idOf(it))).length;
    const input = {
      email: it.email,
      revision: (await db.repos.users.find(idOf(it)))?.adminRevision ?? 0,
    };
    const results = await Promise.allSettled([make(actor(), change, input), make(actor(), change, input)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CONFLICT' },
    });
    expect(await auditOf(idOf(it))).toHaveLength(known + 1);
  });

  it.each([undefined, '', '  ', 'r'.repeat(501)])(
    'requires a reason on pages, in the API and at the terminal: %.8j',
    async (reason) => {
      const it = await person();
      await first?.(it);
      const known = await db.repos.users.find(idOf(it));
      const input = { email: it.email, confirmEmail: it.email, role: 'admin', reason } as UserChangeInput;
      await expect(changeUser(actor(), change, input)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        fields: { reason: [expect.any(String)] },
      });
      expect(await db.repos.users.find(idOf(it))).toEqual(known);
    },
  );

  it('refuses a stale confirmation', async () => {
    const it = await person();
    await first?.(it);
    const stale = (await db.repos.users.find(idOf(it)))?.adminRevision ?? 0;
    await changeUser(admin, 'sign-out', { reason: 'test', email: it.email }).catch(() =>
      changeUser(top, 'sign-out', { reason: 'test', email: it.email }),
    );
    const refused = make(actor(), change, { email: it.email, revision: stale });
    await expect(refused).rejects.toMatchObject({
      conflict: 'CHANGED_MEANWHILE',
      message: 'Someone else changed this account in the meantime. Review it before you confirm.',
    });
  });

  it('is refused for users, visitors, one’s own account, and without a recent sign-in', async () => {
    const it = await person();
    const other = await person();
    await first?.(it);
    const own = by === 'top' ? 'top@example.org' : 'admin@example.org';
    const input = { email: it.email };
    await expect(make(db.ctx(), change, input)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(make(other.ctx, change, input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(make(actor(), change, { email: own })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    if (by === 'top') await expect(make(admin, change, input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(make(actor(), change, { email: 'nobody@example.org' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    db.clock.advance(16 * 60_000);
    await expect(make(actor(), change, input)).rejects.toMatchObject({ code: 'RECENT_SIGN_IN_REQUIRED' });
    admin = await signedInAs(db, 'admin@example.org');
    top = await signedInAs(db, 'top@example.org');
  });
});

describe('effects of changes to an account', () => {
  it('an upgrade grants Premium until a downgrade ends it, and the account stays free afterwards', async () => {
    const it = await person();
    expect(await changeUser(admin, 'upgrade', { reason: 'test', id: idOf(it) })).toMatchObject({
      subscription: 'premium',
      subscriptionStatus: 'active',
    });
    await expect(changeUser(admin, 'upgrade', { reason: 'test', id: idOf(it) })).rejects.toMatchObject({
      conflict: 'ALREADY_GRANTED',
    });
    db.clock.advance(365 * 86_400_000);
    admin = await signedInAs(db, 'admin@example.org');
    top = await signedInAs(db, 'top@example.org');
    expect(await changeUser(admin, 'downgrade', { reason: 'test', id: idOf(it) })).toMatchObject({
      subscription: 'free',
      subscriptionStatus: 'active',
    });
    await expect(changeUser(admin, 'downgrade', { reason: 'test', id: idOf(it) })).rejects.toMatchObject({
      conflict: 'NO_PREMIUM',
    });
  });

  it('downgrading ends a running trial', async () => {
    const it = await person({ plan: 'trial' });
    expect(await changeUser(admin, 'downgrade', { reason: 'test', id: idOf(it) })).toMatchObject({
      subscription: 'free',
    });
  });

  it('signing out ends every session and keeps the account', async () => {
    const it = await person();
    await signedInAs(db, it.email);
    await changeUser(admin, 'sign-out', { reason: 'test', email: it.email });
    expect(await resolveSession(db.ctx(), it.signedIn.token)).toBeNull();
    expect(await signedInAs(db, it.email)).toBeDefined();
  });

  it('ending a session ends only that session of that account', async () => {
    const it = await person();
    const other = await person();
    await signedInAs(db, it.email);
    const seen = await viewUser(admin, idOf(it));
    expect(seen.sessions).toHaveLength(2);
    expect(JSON.stringify(seen.sessions)).not.toContain('192.0.2.1');
    const { id: session } = it.signedIn.session;
    const end = (input: Partial<UserChangeInput>) =>
      changeUser(admin, 'end-session', { reason: 'test', email: it.email, ...input });
    for (const wrong of [undefined, '', other.signedIn.session.id, 'x'])
      await expect(end({ session: wrong }), wrong).rejects.toMatchObject({ conflict: 'ALREADY_OFF' });
    await end({ session });
    expect(await resolveSession(db.ctx(), it.signedIn.token)).toBeNull();
    expect(await resolveSession(db.ctx(), other.signedIn.token)).not.toBeNull();
    const left = (await viewUser(admin, idOf(it))).sessions;
    expect(left).toEqual(seen.sessions.filter(({ id }) => id !== session));
    expect(left).toHaveLength(1);
    await expect(end({ session })).rejects.toMatchObject({ conflict: 'ALREADY_OFF' });
    const ended = (await auditOf(idOf(it))).find(({ action }) => action === 'user.end-session');
    expect([ended?.before, ended?.after]).toEqual([
      expect.objectContaining({ session }),
      expect.not.objectContaining({ session }),
    ]);
  });

  it('a new role, higher or lower, takes effect at the next request', async () => {
    const it = await person();
    const role = async () => ((await ctxOfToken(db, it.signedIn.token)).actor as { role: string }).role;
    await changeUser(top, 'role', { reason: 'test', email: it.email, role: 'super_admin' });
    expect(await role()).toBe('super_admin');
    await changeUser(top, 'role', { reason: 'test', email: it.email, role: 'user' });
    expect(await role()).toBe('user');
    const odd = { reason: 'test', email: it.email, role: 'owner' };
    await expect(changeUser(top, 'role', odd)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(changeUser(top, 'demote', { reason: 'test', email: it.email })).rejects.toMatchObject({
      conflict: 'SAME_ROLE',
    });
  });

  it('a deleted account is locked at once, cannot cancel the deletion, and is gone after the worker has run', async () => {
    const it = await person();
    const wrong = { reason: 'test', email: it.email, confirmEmail: 'somebody@else.org' };
    await expect(changeUser(top, 'delete', wrong)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { confirmEmail: ['Type the account’s email address to delete it'] },
    });
    await changeUser(top, 'delete', {
      reason: 'test',
      email: it.email,
      confirmEmail: ` ${it.email.toUpperCase()} `,
    });
    expect(await resolveSession(db.ctx(), it.signedIn.token)).toBeNull();
    await expect(signedInAs(db, it.email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await purgeDueAccounts(db.ctx(TERMINAL));
    expect(await db.repos.users.find(idOf(it))).toBeNull();
    expect((await auditOf(idOf(it))).map((row) => row.action).sort()).toEqual([
      'account.delete',
      'user.delete',
    ]);
  });
});

describe('the last super admin', () => {
  it('cannot be demoted, suspended or deleted, even when two administrators try at once', async () => {
    const local = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
    try {
      const names = ['one@example.org', 'two@example.org'] as const;
      const [one, two] = [
        await newAdmin(local, names[0], 'super_admin'),
        await newAdmin(local, names[1], 'super_admin'),
      ];
      const results = await Promise.allSettled([
        changeUser(one, 'demote', { reason: 'test', email: names[1] }),
        changeUser(two, 'demote', { reason: 'test', email: names[0] }),
        changeUser(local.ctx(TERMINAL), 'suspend', { reason: 'test', email: names[0] }),
      ]);
      // Whoever was demoted may be suspended after that, like anybody else.
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeOneOf([1, 2]);
      const holders = await Promise.all(
        names.map(async (email) => {
          const user = await local.repos.users.find((await local.repos.addresses.findOwner(email)) ?? '');
          return user?.role === 'super_admin' && user.suspendedAt === null ? [email] : [];
        }),
      );
      const [left = ''] = holders.flat();
      expect(holders.flat()).toHaveLength(1);
      const terminal = local.ctx(TERMINAL);
      const about = { reason: 'test', email: left };
      for (const change of ['demote', 'suspend'] as const)
        await expect(changeUser(terminal, change, about)).rejects.toMatchObject({
          conflict: 'LAST_SUPER_ADMIN',
        });
      await expect(changeUser(terminal, 'delete', { ...about, confirmEmail: left })).rejects.toMatchObject({
        conflict: 'WRONG_STATE',
      });
    } finally {
      await local.dispose();
    }
  });
});
