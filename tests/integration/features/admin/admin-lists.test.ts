import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { matchesUserFilter, STATUS_FILTERS, SUBSCRIPTION_FILTERS } from '#app/domain/admin/user-search.ts';
import type { ListAuditInput, ListUsersInput } from '#app/domain/admin/admin-schema.ts';
import { countAudit, listAudit } from '#app/features/admin/audit-trail.server.ts';
import { viewUser } from '#app/features/admin/users/user-detail.server.ts';
import { prepareUsersFile, countUsers, listUsers } from '#app/features/admin/users/users.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';
import { addressParts } from '#models/accounts/address-part.server.ts';
import { newAdmin } from './admin-people.ts';

let db: TestDatabase;
let admin: Ctx;
let user: Person;
const DAY = 86_400_000;

/** Accounts in every possible state, many created at the same instant. */
async function seed(): Promise<void> {
  const now = db.clock.now().getTime();
  const at = (days: number) => new Date(now + days * DAY);
  const rows = Array.from({ length: 90 }, (_, index) => {
    const domain = ['example.org', 'mail.example', 'example.net'][index % 3] ?? '';
    const email = `${['anna', 'bert', '=cmd'][index % 3]}.${index}@${domain}`;
    return {
      _id: index.toString(16).padStart(24, 'a'),
      email,
      emailDomain: domain,
      passwordHash: '-',
      role: 'user',
      timeZone: 'UTC',
      createdAt: at(-(index % 7)),
      lastLogin: index % 5 === 0 ? null : at(-index),
      lastSeenAt: at(-index),
      suspendedAt: index % 11 === 0 ? at(-1) : null,
      trialEndsAt: index % 4 === 0 ? at(index % 8 === 0 ? 3 : -3) : null,
      creditUntil: index % 13 === 0 ? at(5) : null,
      grantedAt: index % 9 === 0 ? at(-2) : null,
      billingStatus: ['none', 'none', 'active', 'past_due', 'canceled'][index % 5],
      pastDueSince: index % 5 === 3 ? at(-(index % 14)) : null,
      stripeCustomerId: null,
      secondFactorAt: null,
      deleteAfter: null,
      adminRevision: null,
    };
  });
  await testConnection(db)
    .collection('users')
    .insertMany(rows as never);
  await testConnection(db)
    .collection('address_parts')
    .insertMany(rows.flatMap(({ _id, email }) => addressParts(_id, email)) as never);
}

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
  admin = await newAdmin(db, 'admin@example.org');
  user = await newPerson(db, 'plain@example.org');
  await seed();
});
afterAll(() => db.dispose());

/** All pages of a list, forwards and backwards. */
async function pagesOf(input: ListUsersInput): Promise<{ there: string[]; back: string[] }> {
  const there: string[] = [];
  let last = await listUsers(admin, { ...input, limit: 7 });
  there.push(...last.users.map(({ id }) => id));
  while (last.next !== null) {
    last = await listUsers(admin, { ...input, limit: 7, cursor: last.next });
    there.push(...last.users.map(({ id }) => id));
  }
  const back = last.users.map(({ id }) => id);
  while (last.previous !== null) {
    last = await listUsers(admin, { ...input, limit: 7, cursor: last.previous });
    back.unshift(...last.users.map(({ id }) => id));
  }
  return { there, back };
}

async function everybody() {
  const ids = await db.repos.users.listIds('', 1000);
  const found = await Promise.all(ids.map((id) => db.repos.users.find(id)));
  return found.filter((one) => one !== null);
}

describe('the list of users', () => {
  const filters = SUBSCRIPTION_FILTERS.flatMap((subscription) =>
    STATUS_FILTERS.map((status) => ({ subscription, status })),
  );

  it.each(filters)(
    'pages forward and back through $subscription and $status accounts, each once',
    async (filter) => {
      const expected = (await everybody()).filter((one) =>
        matchesUserFilter(one, { ...filter, role: 'all', activeSince: null, isOfDemos: false }, db.ctx()),
      );
      for (const sort of ['newest', 'email'] as const) {
        const { there, back } = await pagesOf({ ...filter, sort });
        expect(there.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
        expect(back).toEqual(there);
      }
      expect(await countUsers(admin, filter)).toBe(expected.length);
    },
  );

  it('is sorted in the chosen order', async () => {
    const by = async (sort: ListUsersInput['sort']) => (await listUsers(admin, { sort, limit: 100 })).users;
    const emails = (await by('email')).map(({ email }) => email);
    expect(emails).toEqual(emails.toSorted());
    const made = (await by('newest')).map(({ createdAt }) => createdAt.getTime());
    expect(made).toEqual(made.toSorted((a, b) => b - a));
    const seen = (await by('last-active')).map(({ lastSeenAt }) => lastSeenAt.getTime());
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });

  it('finds accounts by any text in their email, each once, and by id', async () => {
    const everyone = (await everybody()).map(({ email }) => email);
    const containing = (text: string) => everyone.filter((email) => email.includes(text)).toSorted();
    for (const text of [
      'anna.',
      'a',
      'n',
      'na.1',
      'ail.ex',
      '@mail.example',
      'mail.example',
      'e.',
      '.1',
      'example.org',
    ]) {
      const { there, back } = await pagesOf({ search: text });
      expect(back).toEqual(there);
      const found = await Promise.all(there.map((id) => db.repos.users.find(id)));
      expect(found.map((one) => one?.email).toSorted(), text).toEqual(containing(text));
      expect(await countUsers(admin, { search: ` ${text.toUpperCase()} ` })).toBe(there.length);
    }
    const found = async (search: string) => (await listUsers(admin, { search, limit: 100 })).users;
    expect((await found(user.signedIn.user.id)).map(({ email }) => email)).toEqual([user.email]);
    expect(await found('cus_unknown')).toEqual([]);
    const trials = { search: 'example', status: 'trial' } as const;
    expect(await countUsers(admin, trials)).toBe(
      (await listUsers(admin, { ...trials, limit: 100 })).users.length,
    );
    expect(await countUsers(admin, trials)).toBeLessThan(await countUsers(admin, { search: 'example' }));
  });

  it.each(['.*', '(a+)+$', '^', '$where', '{"$gt":""}', '\\', 'a|b', '\u{10ffff}', '\0a'])(
    'searches for %s literally',
    async (search) => {
      expect((await listUsers(admin, { search })).users).toEqual([]);
      const odd = { search: { $gt: '' } as unknown as string, cursor: search, status: search as 'all' };
      expect((await listUsers(admin, odd)).users.length).toBeGreaterThan(0);
    },
  );

  it('can be paged by number, for API and terminal', async () => {
    const first = await listUsers(admin, { limit: 10 });
    const second = await listUsers(admin, { limit: 10, page: 2 });
    expect(await listUsers(admin, { limit: 10, cursor: first.next ?? '' })).toMatchObject({
      users: second.users,
    });
    expect((await listUsers(admin, { limit: 10, page: 500 })).users).toEqual([]);
  });

  it('is only for administrators, and records each view of an account in the audit trail', async () => {
    await expect(listUsers(user.ctx, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listUsers(db.ctx(), {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(viewUser(user.ctx, user.signedIn.user.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listAudit(user.ctx, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(viewUser(admin, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const seen = await viewUser(admin, user.signedIn.user.id);
    expect(seen).toMatchObject({ email: user.email, usage: { calculations: 0 }, revision: 0 });
    expect(seen.sessions).toHaveLength(1);
    const [row] = await db.repos.audit.listAbout(user.signedIn.user.id, 1);
    expect(row).toMatchObject({ action: 'user.view', actor: (admin.actor as { id: string }).id });
  });

  it('is exported completely, without spreadsheet formulas, and the export is audited', async () => {
    const text = await textOf((await prepareUsersFile(admin, { search: '=cmd' })).open());
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(31);
    expect(lines[0]).toMatch(/^id,email,role,subscription/);
    expect(lines.slice(1).every((line) => line.includes(",'=cmd."))).toBe(true);
    const { entries } = await listAudit(admin, { action: 'users.export' });
    expect(entries).toHaveLength(1);
    await expect(prepareUsersFile(user.ctx, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the audit trail', () => {
  it('is filtered by actor, account, action and date, paging forward and back', async () => {
    const terminal = db.ctx(TERMINAL);
    for (let count = 0; count < 12; count += 1) {
      const { email } = await newPerson(db, `audited-${count}@example.org`);
      await changeUser(count % 2 === 0 ? terminal : admin, 'suspend', { email, reason: `no ${count}` });
    }
    const all = async (input: ListAuditInput) => {
      const rows: string[] = [];
      let page = await listAudit(admin, { ...input, limit: 2 });
      for (;;) {
        rows.push(...page.entries.map(({ reason }) => reason ?? ''));
        if (page.next === null) break;
        const before = page.entries.map(({ id }) => id);
        page = await listAudit(admin, { ...input, limit: 2, cursor: page.next });
        const back = await listAudit(admin, { ...input, limit: 2, cursor: page.previous ?? '' });
        expect(back.entries.map(({ id }) => id)).toEqual(before);
      }
      return rows.toSorted();
    };
    const mine = { actor: 'admin@example.org', action: 'user.suspend' };
    expect(await all(mine)).toEqual(['no 1', 'no 11', 'no 3', 'no 5', 'no 7', 'no 9']);
    expect(await countAudit(admin, mine)).toBe(6);
    expect(await all({ ...mine, actor: 'cli:operator' })).toHaveLength(6);
    expect(await all({ subject: 'audited-4@example.org' })).toEqual(['no 4']);
    expect(await all({ subject: 'nobody@example.org' })).toEqual([]);
    expect(await all({ ...mine, endDate: '2090-03-09' })).toEqual([]);
    expect(await all({ ...mine, startDate: '2090-03-10', endDate: '2090-03-10' })).toHaveLength(6);
    expect(await all({ actor: '$where', action: '{"$gt":""}' })).toEqual([]);
    const { entries } = await listAudit(admin, { subject: 'audited-4@example.org' });
    expect(entries).toMatchObject([{ subjectEmail: 'audited-4@example.org', actorEmail: null }]);
  });
});
