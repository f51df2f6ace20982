import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { readAccessLog } from '#app/features/accounts/access-log.server.ts';
import { createApiToken } from '#app/features/accounts/api-tokens.server.ts';
import { linkIdentity } from '#app/features/accounts/identities.server.ts';
import { addPasskey, addPasskeyOptions } from '#app/features/accounts/passkeys.server.ts';
import { propose } from '#app/features/proposals/index.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import {
  scheduleDeletion,
  cancelDeletion,
  findDeletion,
  purgeDueAccounts,
} from '#app/features/accounts/account-deletion.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import { keepDemoInterest } from '#app/features/demo/demo.server.ts';
import { runOnce } from '#app/platform/idempotency/idempotency.server.ts';
import { changeCalendarFeed } from '#app/features/schedules/calendar-feed.server.ts';
import { createWebhook } from '#app/features/webhooks/webhooks.server.ts';
import { setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { askForPasswordReset } from '#app/features/accounts/password-change.server.ts';
import { getReferrals } from '#app/features/referrals/referrals.server.ts';
import { beginSecondFactor } from '#app/features/accounts/second-factor.server.ts';
import { shareReport } from '#app/features/reports/report-shares.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { HOLDINGS, NOBODYS } from '#models/store/personal-data.server.ts';
import { buyPlan } from '#tests/support/billing.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD, type Person } from '#tests/support/people.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { newBrowser } from '#tests/support/push-host.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;

/** The collections that contain data of a person, in whatever field. */
async function tracesOf(...texts: string[]): Promise<string[]> {
  const database = testConnection(db).db;
  const found = new Set<string>();
  for (const { name } of (await database?.listCollections().toArray()) ?? []) {
    for (const row of (await database?.collection(name).find().toArray()) ?? []) {
      if (texts.some((text) => JSON.stringify(row).includes(text))) found.add(name);
    }
  }
  return [...found].sort();
}

/** A reminder in the bell, and a push message and a mail waiting to be sent. */
async function beReminded({ ctx, signedIn }: Person): Promise<void> {
  const userId = signedIn.user.id;
  await subscribeBrowser(ctx, newBrowser().target(`http://127.0.0.1:9/${userId}`));
  await db.repos.doses.createMany(userId, [pendingDose(`dose_${userId}`, db.clock.now())]);
  await setNtfyTopic(ctx, { url: 'http://127.0.0.1:9/a-secret-topic', token: 'tk_secret' });
  await createWebhook(ctx, { url: `http://127.0.0.1:9/${userId}`, events: ['dose.due'] });
  await remindOfDoses(db.ctx(TERMINAL));
  await changeCalendarFeed(ctx, { privacy: 'busy' });
}

/** A user with data in every collection. */
async function newResident(email: string): Promise<Person> {
  await keepDemoInterest(db.ctx(), { email });
  const person = await newPerson(db, email, { plan: 'trial' });
  await saveAll(person.ctx, [{ peptideName: 'A' }, { peptideName: 'B', notes: email }]);
  await askForPasswordReset(db.ctx(undefined, { address: email }), { email });
  await beginSecondFactor(person.ctx);
  await createApiToken(person.ctx, { name: 'Mine', scope: 'read', life: '30' });
  const setCeiling = OPERATIONS.find(({ id }) => id === 'setCeiling') ?? expect.unreachable('no such call');
  const values = { params: {}, query: {}, body: { name: 'BPC-157', perDose: 5 } };
  await propose(person.ctx, () => OPERATIONS, setCeiling, values);
  const passkey = new Authenticator(person.ctx.appUrl).make(await addPasskeyOptions(person.ctx));
  await addPasskey(person.ctx, { name: 'Mine', passkey });
  await linkIdentity(person.ctx, { issuer: 'https://id.example', subject: email, email });
  await getReferrals(person.ctx);
  await shareReport(person.ctx, { start: '2090-01-01', end: '2090-01-31', days: '7' });
  const repeatable = { key: 'k', fingerprint: 'f', keepsAnswer: true };
  await runOnce(person.ctx, repeatable, () => Promise.resolve(`for ${email}`));
  await updateNotificationChoices(person.ctx, { email: true });
  await beReminded(person);
  await (await buyPlan(person)).act('card-declines', 'end-period');
  return person;
}

describe('requesting account deletion', () => {
  it('needs the typed address and a recent sign-in', async () => {
    const { email, signedIn } = await newPerson(db, 'asks@example.org');
    const ctx = await ctxOfToken(db, signedIn.token);
    expect(await codeOf(scheduleDeletion(ctx, { email: 'other@example.org' }))).toBe('INVALID_INPUT');
    expect(await codeOf(scheduleDeletion(ctx, { email: '' }))).toBe('INVALID_INPUT');
    db.clock.advance(15 * 60_000);
    const later = await ctxOfToken(db, signedIn.token);
    expect(await codeOf(scheduleDeletion(later, { email }))).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await findDeletion(later)).toBeNull();
  });

  it('can be undone for 48 hours, and is reported by mail', async () => {
    const { ctx, email, signedIn } = await newPerson(db, 'keeps@example.org');
    const at = await scheduleDeletion(ctx, { email: ` ${email.toUpperCase()} ` });
    expect(at.getTime() - db.clock.now().getTime()).toBe(48 * HOUR);
    expect(await codeOf(scheduleDeletion(ctx, { email }))).toBe('WRONG_STATE');
    expect(await resolveSession(db.ctx(), signedIn.token)).not.toBeNull();
    await cancelDeletion(ctx);
    expect(await findDeletion(ctx)).toBeNull();
    expect(await codeOf(cancelDeletion(ctx))).toBe('WRONG_STATE');
    db.clock.advance(49 * HOUR);
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(0);
    expect((await db.mails()).filter(({ to }) => to === email).map(({ subject }) => subject)).toEqual([
      'Your Vialbook account will be deleted',
      'Your Vialbook account will not be deleted',
    ]);
  });

  it('is refused to a super admin', async () => {
    const email = 'root@example.org';
    await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD, role: 'super_admin' });
    const { token } = await signIn(db.ctx(), { email, password: PASSWORD });
    expect(await codeOf(scheduleDeletion(await ctxOfToken(db, token), { email }))).toBe('WRONG_STATE');
  });
});

describe('account deletion', () => {
  it('leaves nothing but rows that name the account by id alone', async () => {
    const email = 'leaves@example.org';
    const stays = await newResident('stays@example.org');
    const { ctx, signedIn } = await newResident(email);
    const { id } = signedIn.user;
    const everywhere = await tracesOf(id, email);
    expect(everywhere).toEqual(
      [
        ...Object.keys(HOLDINGS),
        ...['calculation_counters', 'calculations', 'row_counts'],
        ...['notification_choices', 'referral_codes'],
        ...['deliveries', 'doses', 'reminders', 'webhook_deliveries'],
        ...['billing', 'billing_events', 'stripe_customers'],
        ...['account_standings', 'address_parts', 'stock_checks'],
      ]
        .filter((name) => name !== 'role_holders')
        .sort(),
    );
    const others = await tracesOf(stays.signedIn.user.id);
    db.clock.advance(1000);
    await scheduleDeletion(ctx, { email });
    db.clock.advance(48 * HOUR - 1000);
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(0);
    db.clock.advance(1000);
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(1);
    expect(await tracesOf(email)).toEqual([]);
    expect(await tracesOf(id)).toEqual(['audit', 'billing_issues', 'subscription_events']);
    const rows = await db.repos.audit.listAbout(id, 7);
    expect(rows.slice(0, 2)).toMatchObject([
      { action: 'account.delete', actor: 'cli:operator' },
      { action: 'account.ask-deletion', actor: id },
    ]);
    // Created at the same instant, so in any order.
    const made = new Set(rows.slice(2).map(({ action }) => action));
    expect(made).toEqual(
      new Set(['api-token.create', 'identity.link', 'passkey.add', 'report-share.create', 'webhook.create']),
    );
    expect(await tracesOf(stays.signedIn.user.id)).toEqual(others);
    expect((await db.mails()).at(-1)).toMatchObject({
      to: email,
      subject: 'Your Vialbook account was deleted',
    });
  });

  it('locks the owner out when it is due, done or not', async () => {
    const { ctx, email, signedIn } = await newPerson(db, 'due@example.org');
    await scheduleDeletion(ctx, { email });
    const { token } = await signIn(db.ctx(), { email, password: PASSWORD, remember: true });
    db.clock.advance(48 * HOUR);
    expect(await resolveSession(db.ctx(), token)).toBeNull();
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
    expect(await codeOf(signIn(db.ctx(), { email, password: PASSWORD }))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(cancelDeletion(ctx))).toBe('WRONG_STATE');
  });

  it('happens once with five workers at once, and frees the address', async () => {
    const { ctx, email } = await newPerson(db, 'anew@example.org');
    await scheduleDeletion(ctx, { email });
    db.clock.advance(48 * HOUR);
    const done = await Promise.all(Array.from({ length: 5 }, () => purgeDueAccounts(db.ctx(TERMINAL))));
    expect(done.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1);
    const mails = (await db.mails()).filter(({ to, subject }) => to === email && /was deleted/.test(subject));
    expect(mails).toHaveLength(1);
    const again = await newPerson(db, email);
    expect(again.signedIn.user.trialAvailable).toBe(true);
  });

  it('finishes what another worker left half done', async () => {
    const { ctx, email, signedIn } = await newPerson(db, 'half@example.org');
    await scheduleDeletion(ctx, { email });
    db.clock.advance(48 * HOUR);
    const now = db.clock.now();
    await db.repos.users.claimDeletion(signedIn.user.id, now, new Date(now.getTime() + 60_000));
    await db.repos.addresses.release(email, signedIn.user.id);
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(0);
    db.clock.advance(60_000);
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(1);
    expect(await tracesOf(signedIn.user.id)).toEqual(['audit']);
  });

  it('cannot be started by users', async () => {
    const { ctx } = await newPerson(db, 'impatient@example.org');
    expect(await codeOf(purgeDueAccounts(ctx))).toBe('FORBIDDEN');
    expect(await codeOf(purgeDueAccounts(db.ctx()))).toBe('FORBIDDEN');
  });

  it('has a rule for every collection', () => {
    for (const { schema, collection } of Object.values(testConnection(db).models)) {
      const name = collection.collectionName;
      const isKnown = name in HOLDINGS || name in NOBODYS || schema.path('userId') !== undefined;
      expect(isKnown, `${name} has no userId and stands neither in HOLDINGS nor in NOBODYS`).toBe(true);
    }
  });
});

describe('the full download', () => {
  const read = async (person: Person) => {
    const { fileName, open } = await downloadData(person.ctx);
    const text = await textOf(open());
    return { fileName, text, data: JSON.parse(text) as { collections: Record<string, object[]> } };
  };

  it('contains every collection with the owner’s id, and only the owner’s rows', async () => {
    const other = await newResident('other-data@example.org');
    const person = await newResident('data@example.org');
    const { id } = person.signedIn.user;
    const { fileName, text, data } = await read(person);
    expect(fileName).toMatch(/^vialbook-data-\d{4}-\d{2}-\d{2}\.json$/);
    const filled = Object.entries(data.collections).flatMap(([name, rows]) =>
      rows.length > 0 ? [name] : [],
    );
    expect(filled.sort()).toEqual(await tracesOf(id, person.email));
    expect(data.collections['calculations']).toHaveLength(2);
    expect(text).not.toContain(other.signedIn.user.id);
    expect(text).not.toContain(other.email);
  });

  it('contains no secret that gives access', async () => {
    const person = await newResident('no-secrets@example.org');
    const { text } = await read(person);
    expect(text).not.toMatch(/argon2|passwordHash|tokenHash/i);
    const hashes = await testConnection(db)
      .collection<{ _id: string }>('sessions')
      .find({ userId: person.signedIn.user.id })
      .toArray();
    hashes.push(
      ...(await db.repos.apiTokens.list(person.signedIn.user.id)).map(({ hash }) => ({ _id: hash })),
    );
    expect(hashes).toHaveLength(2);
    for (const { _id } of hashes) expect(text).not.toContain(_id);
  });

  it('is throttled', async () => {
    const person = await newPerson(db, 'downloads@example.org');
    for (let count = 0; count < 20; count += 1) await downloadData(person.ctx);
    expect(await codeOf(downloadData(person.ctx))).toBe('RATE_LIMITED');
  });
});

describe('the access log', () => {
  it('shows what others did without naming them, and where the owner’s changes came from', async () => {
    const { ctx, email } = await newPerson(db, 'log@example.org');
    await scheduleDeletion(ctx, { email });
    await changeUser(db.ctx(TERMINAL), 'suspend', { email, reason: 'chargeback' });
    await changeUser(db.ctx(TERMINAL), 'reinstate', { reason: 'test', email });
    const { entries, next } = await readAccessLog(ctx);
    expect(next).toBeNull();
    const lines = entries.map(({ what, who, from, reason }) => [what, who, from, reason]);
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(
      expect.arrayContaining([
        ['Suspension lifted', 'The operator of this server', null, 'test'],
        ['Account suspended', 'The operator of this server', null, 'chargeback'],
        ['Account deletion requested', 'You', '192.0.2.1', null],
      ]),
    );
    expect(JSON.stringify(entries)).not.toContain('operator"');
  });

  it('pages through rows of the same instant without losing or repeating any', async () => {
    const { ctx } = await newPerson(db, 'long-log@example.org');
    for (let round = 0; round < 60; round += 1) {
      await scheduleDeletion(ctx, { email: 'long-log@example.org' });
      await cancelDeletion(ctx);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await readAccessLog(ctx, cursor);
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
  });

  it('starts at the beginning for an invalid cursor', async () => {
    const { ctx } = await newPerson(db, 'odd-cursor@example.org');
    for (const cursor of ['', '1', '1-zz', '{"$gt":""}', '9'.repeat(40)]) {
      expect(await readAccessLog(ctx, cursor)).toEqual({ entries: [], next: null });
    }
  });
});
