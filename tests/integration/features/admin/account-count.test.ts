import fc from 'fast-check';
import type { CommandStartedEvent } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activeSince, type AccountFigures } from '#app/domain/admin/account-standing.ts';
import { SILENT_LOG } from '#app/domain/log.ts';
import { purgeDueAccounts, startDemoAccount } from '#app/features/accounts/index.server.ts';
import { recordSeen } from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { countAccounts } from '#app/features/admin/account-count.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { startTrial } from '#app/features/billing/billing.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { accountStandings } from '#models/store/migrations/account-standings.server.ts';
import { createMigrationStatus, runMigrations } from '#models/store/migrations/run.server.ts';
import { buyPlan } from '#tests/support/billing.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, PASSWORD, type Person } from '#tests/support/people.ts';
import { namingShards } from '#tests/support/shard-watch.ts';
import { sized } from '#tests/support/size.ts';

const DAY = 86_400_000;
let db: TestDatabase;
beforeEach(async () => {
  db = await openTestDatabase({ monitorCommands: true, env: { RATE_LIMIT_FACTOR: '1000' } });
});
afterEach(() => db.dispose());

const worker = () => db.ctx(WORKER.actor);
const idOf = ({ signedIn }: Person) => signedIn.user.id;
const inDays = (days: number) => new Date(db.clock.now().getTime() + days * DAY);
const act = <T>(run: () => Promise<T>) => db.ctx(TERMINAL).transaction(run);

/** The figures that follow changes, and the same counted from all accounts. */
async function kept(): Promise<AccountFigures> {
  const { total, premium, active } = (await db.repos.adminFigures.find()) ?? expect.unreachable('no figures');
  return { total, premium, active };
}
const counted = () => db.repos.userCounts.count(worker(), activeSince(db.clock.now()));

async function expectRight(what: string): Promise<AccountFigures> {
  await countAccounts(worker());
  const figures = await kept();
  expect(figures, what).toEqual(await counted());
  return figures;
}

const change = (person: Person, how: 'suspend' | 'reinstate' | 'upgrade' | 'downgrade') =>
  changeUser(db.ctx(TERMINAL), how, { email: person.email, reason: 'test' });

async function see(person: Person): Promise<void> {
  const user = await db.repos.users.find(idOf(person));
  if (user !== null) await recordSeen(db.ctx(), user);
}

async function deleteNow(person: Person): Promise<void> {
  await db.repos.users.scheduleDeletion(idOf(person), db.clock.now());
  await purgeDueAccounts(worker());
}

type Billing = Parameters<TestDatabase['repos']['users']['setBilling']>[1];
const bill = (person: Person, status: Billing) => act(() => db.repos.users.setBilling(idOf(person), status));
const credit = (person: Person, until: Date | null) =>
  act(() => db.repos.users.setCredit(idOf(person), [], until));

/** The collections that something reads rows of. */
async function readsOf(run: () => Promise<unknown>): Promise<string[]> {
  const read = new Set<string>();
  const watch = ({ commandName, command }: CommandStartedEvent) => {
    if (['find', 'aggregate', 'distinct'].includes(commandName)) read.add(String(command[commandName]));
  };
  const client = testConnection(db).getClient();
  client.on('commandStarted', watch);
  await run();
  client.off('commandStarted', watch);
  return [...read].toSorted();
}

/** A run of the worker that is stopped after some rounds. */
const afterRounds = (most: number): AbortSignal => {
  let rounds = 0;
  return {
    get aborted() {
      return (rounds += 1) > most;
    },
  } as AbortSignal;
};

describe('the figures of accounts', () => {
  it('follow every act that changes what an account counts for', async () => {
    await newPerson(db, 'other@example.org', { plan: 'trial' });
    const person = await newPerson(db, 'acts@example.org');
    const payer = await newPerson(db, 'payer@example.org');
    const made: { customer?: Awaited<ReturnType<typeof buyPlan>>; late?: Person } = {};
    const later = (days: number) => () => Promise.resolve(db.clock.advance(days * DAY));
    /** Each with the difference that it makes to the total, to Premium and to the active ones. */
    const acts: [string, () => unknown, [number, number, number]][] = [
      ['a sign-up', async () => (made.late = await newPerson(db, 'late@example.org')), [1, 0, 1]],
      [
        'a demo',
        () => startDemoAccount(db.ctx(), { timeZone: 'UTC', fill: () => Promise.resolve() }),
        [0, 0, 0],
      ],
      [
        'an account made at the terminal',
        () => createAdmin(db.ctx(TERMINAL), { email: 'made@example.org', password: PASSWORD, role: 'admin' }),
        [1, 0, 0],
      ],
      [
        'its first sign-in',
        () => signIn(db.ctx(), { email: 'made@example.org', password: PASSWORD }),
        [0, 0, 1],
      ],
      ['a trial', () => startTrial(person.ctx), [0, 1, 0]],
      ['a suspension', () => change(person, 'suspend'), [0, -1, 0]],
      ['a reinstatement', () => change(person, 'reinstate'), [0, 1, 0]],
      ['a downgrade', () => change(person, 'downgrade'), [0, -1, 0]],
      ['an upgrade', () => change(person, 'upgrade'), [0, 1, 0]],
      ['its end', () => change(person, 'downgrade'), [0, -1, 0]],
      ['another upgrade', () => change(person, 'upgrade'), [0, 1, 0]],
      [
        'a refund, which ends all Premium',
        () => act(() => db.repos.users.endFreePremium(idOf(person), db.clock.now())),
        [0, -1, 0],
      ],
      ['credit', () => credit(person, inDays(200)), [0, 1, 0]],
      ['credit taken back', () => credit(person, null), [0, -1, 0]],
      ['a purchase', async () => (made.customer = await buyPlan(payer)), [0, 1, 0]],
      ['a failed payment', () => made.customer?.act('card-declines', 'end-period'), [0, 0, 0]],
      ['a week without payment, and the end of the trial of the other', later(15), [0, -2, 0]],
      ['payment after all', () => bill(payer, { billingStatus: 'active', pastDueSince: null }), [0, 1, 0]],
      ['a cancellation', () => bill(payer, { billingStatus: 'canceled', pastDueSince: null }), [0, -1, 0]],
      ['a month without anybody', later(31), [0, 0, -5]],
      ['a visit', () => see(person), [0, 0, 1]],
      ['a sign-in', () => signIn(db.ctx(), { email: payer.email, password: PASSWORD }), [0, 0, 1]],
      ['a deletion', () => deleteNow(person), [-1, 0, -1]],
      [
        'a deletion of an account that is not counted yet',
        async () => deleteNow(await newPerson(db, 'brief@example.org')),
        [0, 0, 0],
      ],
    ];
    let before = await expectRight('at first');
    expect(before).toEqual({ total: 3, premium: 1, active: 3 });
    for (const [name, run, [total, premium, active]] of acts) {
      await run();
      const after = await expectRight(name);
      const difference = [
        after.total - before.total,
        after.premium - before.premium,
        after.active - before.active,
      ];
      expect(difference, name).toEqual([total, premium, active]);
      before = after;
    }
  });

  it('are right at the instant at which time alone changes one', async () => {
    const ends: [string, (person: Person) => unknown, number, 'premium' | 'active'][] = [
      ['the trial', (person) => startTrial(person.ctx), 14 * DAY, 'premium'],
      ['credit', (person) => credit(person, inDays(5)), 5 * DAY, 'premium'],
      [
        'grace',
        (person) => bill(person, { billingStatus: 'past_due', pastDueSince: db.clock.now() }),
        7 * DAY,
        'premium',
      ],
      // Until the very end of the 30th day.
      ['the last visit', () => undefined, 30 * DAY + 1, 'active'],
    ];
    for (const [index, [name, begin, ms, figure]] of ends.entries()) {
      const person = await newPerson(db, `end${index}@example.org`);
      await begin(person);
      await expectRight(name);
      db.clock.advance(ms - 1);
      const before = await expectRight(`before the end of ${name}`);
      db.clock.advance(1);
      const after = await expectRight(`at the end of ${name}`);
      expect(after[figure], name).toBe(before[figure] - 1);
    }
  });

  it('read no account that has neither changed nor reached an end', async () => {
    const people: Person[] = [];
    for (let n = 0; n < 4; n += 1)
      people.push(await newPerson(db, `idle${n}@example.org`, { plan: 'trial' }));
    await countAccounts(worker());
    // Whoever comes every day changes nothing.
    db.clock.advance(DAY);
    for (const person of people) await see(person);
    expect(await countAccounts(worker())).toBe(0);
    expect(await readsOf(() => countAccounts(worker()))).toEqual(['account_standings', 'admin_figures']);
    expect(await readsOf(() => adminStats(worker(), 0))).toEqual([
      'admin_figures',
      ...['subscription_days', 'subscription_events'],
    ]);
    const [one] = people;
    if (one !== undefined) await change(one, 'suspend');
    expect(await countAccounts(worker())).toBe(1);
    expect(await adminStats(worker(), 0)).toMatchObject({ totalUsers: 4, premiumUsers: 3, freeUsers: 1 });
  });

  it('give everybody Premium on a server that sells nothing', async () => {
    await newPerson(db, 'at-home@example.org');
    const change = await newPerson(db, 'at-home-too@example.org', { plan: 'trial' });
    await countAccounts(worker());
    const atHome = { ...worker(), isSelling: false };
    expect(await adminStats(atHome, 0)).toEqual(await adminStats(atHome));
    expect(await adminStats(atHome, 0)).toMatchObject({ premiumUsers: 2, freeUsers: 0 });
    // The same figures once it sells again.
    await countAccounts(atHome);
    expect(await adminStats(worker(), 0)).toMatchObject({ premiumUsers: 1, freeUsers: 1 });
    await deleteNow(change);
    expect(await adminStats(atHome, 0)).toMatchObject({ totalUsers: 1, premiumUsers: 1 });
  });

  it('count nothing twice, however many workers there are', async () => {
    for (let n = 0; n < 9; n += 1) await newPerson(db, `many${n}@example.org`, { plan: 'trial' });
    await Promise.all([1, 2, 3].map((batch) => countAccounts(worker(), undefined, batch)));
    expect(await kept()).toEqual({ total: 9, premium: 9, active: 9 });
    db.clock.advance(13 * DAY);
    await countAccounts(worker());
    db.clock.advance(DAY);
    const numbers = await Promise.all([1, 2, 3].map((batch) => countAccounts(worker(), undefined, batch)));
    expect(numbers.reduce((sum, number) => sum + number)).toBe(9);
    expect(await kept()).toEqual({ total: 9, premium: 0, active: 9 });
  });

  it('lose nothing when a worker dies between any two writes', async () => {
    const person = await newPerson(db, 'dies@example.org', { plan: 'trial' });
    await countAccounts(worker());
    await change(person, 'suspend');
    const before = await kept();
    const { adminFigures } = db.repos;
    const dying = () => Promise.reject(new Error('killed'));
    const ctx = {
      ...worker(),
      repos: worker().repos.with({ adminFigures: { ...adminFigures, add: dying } }),
    };
    await expect(countAccounts(ctx)).rejects.toThrow('killed');
    expect(await kept()).toEqual(before);
    expect(await expectRight('afterwards')).toEqual({ ...before, premium: 0 });
  });

  it('are counted from scratch once a week, which repairs what somebody broke', async () => {
    for (let n = 0; n < 4; n += 1) await newPerson(db, `weekly${n}@example.org`, { plan: 'trial' });
    const other = await newPerson(db, 'other@example.org', { plan: 'trial' });
    const right = await expectRight('at first');
    const collection = (name: string) => testConnection(db).collection<{ _id: string }>(name);
    await collection('admin_figures').updateOne({}, { $inc: { total: 7, premium: -2 } });
    await collection('users').updateOne({ _id: idOf(other) }, { $set: { suspendedAt: inDays(0) } });
    await collection('account_standings').insertOne({
      _id: 'gone',
      userId: 'gone',
      total: 1,
      premium: 1,
      active: 1,
      checkAt: null,
    } as never);
    db.clock.advance(6 * DAY);
    await countAccounts(worker());
    expect(await kept()).toEqual({ ...right, total: 12, premium: 3 });
    db.clock.advance(DAY);
    await countAccounts(worker(), undefined, 2);
    expect(await kept()).toEqual({ ...right, premium: 4 });
    expect(await kept()).toEqual(await counted());
    expect(await collection('account_standings').countDocuments({ userId: 'gone' })).toBe(0);
  });

  it('lose no account that a recount has just come to and that is deleted then', async () => {
    const people: Person[] = [];
    for (let n = 0; n < 3; n += 1) people.push(await newPerson(db, `passed${n}@example.org`));
    await countAccounts(worker());
    const [first] = people.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    await db.repos.adminFigures.beginRecount();
    await countAccounts(worker(), afterRounds(1), 1);
    if (first !== undefined) await deleteNow(first);
    expect(await expectRight('afterwards')).toEqual({ total: 2, premium: 0, active: 2 });
  });

  it('begin with a count of the accounts that an older version has left, and are counted on request until then', async () => {
    const users = testConnection(db).collection<{ _id: string }>('users');
    await newPerson(db, 'known@example.org', { plan: 'trial' });
    const known = await users.findOne({});
    const standings = testConnection(db).collection('account_standings');
    await standings.deleteMany({});
    await users.insertMany(
      Array.from({ length: 1200 }, (_, n) => ({ ...known, _id: `old${n}`, email: `old${n}@example.org` })),
    );
    const earlier = testConnection(db).collection<{ _id: string }>('admin_figures');
    await earlier.insertOne({ _id: 'overview', totalUsers: 7 } as never);
    const migration = namingShards(testConnection(db), accountStandings);
    const migrate = async () => {
      await runMigrations(testConnection(db), SILENT_LOG, [migration]);
      await createMigrationStatus(testConnection(db), [migration]).finish(SILENT_LOG);
    };
    await migrate();
    expect(await earlier.countDocuments({ _id: 'overview' })).toBe(0);
    expect(await adminStats(worker(), 0)).toMatchObject({ totalUsers: 1201, premiumUsers: 1201 });
    // Stopped after one piece.
    await countAccounts(worker(), afterRounds(1));
    expect((await db.repos.adminFigures.find())?.recount).toMatchObject({ total: 500 });
    expect(await adminStats(worker(), 0)).toMatchObject({ totalUsers: 1201 });
    await countAccounts(worker());
    expect(await standings.countDocuments({})).toBe(1201);
    expect(await expectRight('afterwards')).toEqual({ total: 1201, premium: 1201, active: 1201 });
    // What a process of the older version changes is counted once the last of them has ended.
    await users.updateOne({ _id: 'old3' }, { $set: { suspendedAt: inDays(0) } });
    await createMigrationStatus(testConnection(db), [migration]).repeat(SILENT_LOG);
    expect(await expectRight('of an older version')).toMatchObject({ premium: 1200 });
  });
});

const ACTS = [
  'signUp',
  'see',
  'suspend',
  'reinstate',
  'upgrade',
  'downgrade',
  'trial',
  'credit',
  'pay',
  'owe',
  'cancel',
  'delete',
] as const;

type Step =
  | { does: (typeof ACTS)[number]; who: number; days: number }
  | { does: 'wait'; days: number }
  | { does: 'count' | 'count beside acts' | 'recount'; batch: number; pieces: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom(...ACTS),
      who: fc.nat(5),
      days: fc.integer({ min: -3, max: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 32 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('count' as const, 'count beside acts' as const, 'recount' as const),
      batch: fc.integer({ min: 1, max: 4 }),
      pieces: fc.integer({ min: 1, max: 5 }),
    }),
  },
);

/** So that what follows is not repaired by the count of the week. */
async function postponeRecount(): Promise<void> {
  const figures = testConnection(db).collection('admin_figures');
  await figures.updateMany({ recountedAt: { $ne: null } }, { $set: { recountedAt: db.clock.now() } });
}

let made = 0;

it(
  'figures that follow each change equal a count from scratch, whatever happens in whatever order',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const people: Person[] = [];
        async function perform(does: (typeof ACTS)[number], who: number, days: number): Promise<unknown> {
          if (does === 'signUp') {
            const email = `law${made}@example.org`;
            made += 1;
            return people.push(await newPerson(db, email));
          }
          const index = people.length === 0 ? -1 : who % people.length;
          const person = people[index];
          if (person === undefined) return;
          const { users } = db.repos;
          const now = db.clock.now();
          switch (does) {
            case 'see':
              return see(person);
            case 'trial':
              return act(() => users.startTrial(idOf(person), now, inDays(14)));
            case 'credit':
              return credit(person, inDays(days));
            case 'pay':
              return bill(person, { billingStatus: 'active', pastDueSince: null });
            case 'owe':
              return bill(person, { billingStatus: 'past_due', pastDueSince: now });
            case 'cancel':
              return bill(person, { billingStatus: 'canceled', pastDueSince: null });
            case 'delete':
              people.splice(index, 1);
              return deleteNow(person);
            default:
              // Refused to whoever is suspended already, and so on.
              return change(person, does).catch(() => undefined);
          }
        }
        for (const now of steps) {
          if (now.does === 'wait') {
            db.clock.advance(now.days * DAY);
            await postponeRecount();
          } else if ('who' in now) await perform(now.does, now.who, now.days);
          else if (now.does === 'count beside acts')
            await Promise.all([
              countAccounts(worker(), undefined, now.batch),
              countAccounts(worker(), undefined, 2),
              perform('signUp', 0, 0),
              perform('credit', now.batch, now.pieces),
            ]);
          else {
            if (now.does === 'recount') await db.repos.adminFigures.beginRecount();
            await countAccounts(worker(), afterRounds(now.pieces), now.batch);
          }
        }
        await countAccounts(worker());
        const figures = await kept();
        expect(figures).toEqual(await counted());
        // And again from scratch.
        await db.repos.adminFigures.beginRecount();
        await countAccounts(worker());
        expect(await kept()).toEqual(figures);
      }),
      { numRuns: sized(12, 200) },
    );
  },
  sized(60_000, 900_000),
);
