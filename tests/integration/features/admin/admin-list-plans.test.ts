import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ROLE_FILTERS,
  STATUS_FILTERS,
  SUBSCRIPTION_FILTERS,
  USER_SORTS,
} from '#app/domain/admin/user-search.ts';
import { recentActivity } from '#app/features/admin/overview.server.ts';
import { listAudit } from '#app/features/admin/audit-trail.server.ts';
import { listUsers } from '#app/features/admin/users/users.server.ts';
import {
  listBillingIssues,
  listSubscriptionEvents,
} from '#app/features/admin/subscriptions/billing-admin.server.ts';
import { addressParts } from '#models/accounts/address-part.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';

/** The cost of a page must not grow with the number of accounts, for any filter. */
let db: TestDatabase;
let terminal: Ctx;
let finds: Record<string, unknown>[] = [];
const LISTS = ['users', 'address_parts', 'audit', 'subscription_events', 'billing_issues'];
const PEOPLE = 300;
const idOf = (n: number) => n.toString(16).padStart(24, '0');

beforeAll(async () => {
  db = await openTestDatabase({ monitorCommands: true });
  terminal = db.ctx(TERMINAL);
  const connection = testConnection(db);
  const now = db.clock.now().getTime();
  const at = (n: number) => new Date(now - n * 3_600_000);
  const numbers = Array.from({ length: PEOPLE }, (_, n) => n);
  await connection.collection('users').insertMany(
    numbers.map((n) => ({
      _id: idOf(n),
      email: `person${n}@mail${n % 3}.example`,
      emailDomain: `mail${n % 3}.example`,
      passwordHash: '-',
      role: n % 4 === 0 ? 'admin' : n % 4 === 1 ? 'super_admin' : 'user',
      timeZone: 'UTC',
      createdAt: at(n),
      lastLogin: at(n),
      lastSeenAt: at(n),
      suspendedAt: n % 3 === 0 ? at(n) : null,
      trialStartedAt: null,
      trialEndsAt: n % 3 === 1 ? new Date(now + 3_600_000) : null,
      creditUntil: null,
      grantedAt: null,
      billingStatus: ['none', 'active', 'past_due', 'canceled'][n % 4],
      pastDueSince: n % 4 === 2 ? at(0) : null,
      stripeCustomerId: null,
      secondFactorAt: null,
      deleteAfter: null,
      adminRevision: null,
    })) as never[],
  );
  await connection
    .collection('address_parts')
    .insertMany(numbers.flatMap((n) => addressParts(idOf(n), `person${n}@mail${n % 3}.example`)) as never[]);
  await connection.collection('audit').insertMany(
    numbers.map((n) => ({
      _id: idOf(n),
      at: at(n % 50),
      actor: n % 2 ? 'cli:operator' : idOf(1),
      action: n % 3 ? 'user.view' : 'user.suspend',
      subjectId: idOf(n % 7),
      before: {},
      after: {},
      reason: null,
      from: 'terminal',
    })) as never[],
  );
  await connection.collection('subscription_events').insertMany(
    numbers.map((n) => ({
      _id: `evt_${String(n).padStart(4, '0')}`,
      userId: idOf(n),
      eventType: n % 2 ? 'payment_failed' : 'payment_succeeded',
      amountCents: 500,
      status: n % 2 ? 'failed' : 'success',
      createdAt: at(n % 100),
      details: '',
    })) as never[],
  );
  await connection.collection('billing_issues').insertMany(
    numbers.map((n) => ({
      _id: `${idOf(n)}:in_${n}`,
      userId: idOf(n),
      issueId: `in_${n}`,
      type: 'dispute',
      amountCents: 500,
      description: '',
      status: n % 2 ? 'open' : 'resolved',
      openedAt: at(n % 100),
      resolvedAt: null,
    })) as never[],
  );
  connection.getClient().on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    const { find, filter, sort, limit, projection } = command as Record<string, unknown>;
    if (commandName !== 'find' || !LISTS.includes(String(find))) return;
    finds.push({ find, filter, ...(sort ? { sort } : {}), ...(limit ? { limit } : {}), projection });
  });
});
afterAll(() => db.dispose());
beforeEach(() => {
  finds = [];
});

interface Stage {
  stage: string;
  inputStage?: Stage;
  inputStages?: Stage[];
}
const stagesOf = ({ stage, inputStage, inputStages = [] }: Stage): string[] => [
  stage,
  ...[...(inputStage ? [inputStage] : []), ...inputStages].flatMap(stagesOf),
];

/** Checks that every list was read along an index, in order, and with no more rows than the page may read. */
async function expectFlat(about: string): Promise<void> {
  const asked = finds;
  finds = [];
  expect(asked.length, about).toBeGreaterThan(0);
  const database = testConnection(db).db;
  for (const { projection, ...question } of asked) {
    const explain = { ...question, ...(projection ? { projection } : {}) };
    const told = await database?.command({ explain, verbosity: 'executionStats' });
    const { queryPlanner, executionStats } = told as {
      queryPlanner: { winningPlan: Stage };
      executionStats: { totalDocsExamined: number; totalKeysExamined: number };
    };
    const stages = stagesOf(queryPlanner.winningPlan);
    const context = `${about}: ${JSON.stringify(question)}`;
    expect(stages, context).not.toContain('COLLSCAN');
    expect(stages, context).not.toContain('SORT');
    const most = Number(question['limit'] ?? 60);
    expect(executionStats.totalDocsExamined, context).toBeLessThanOrEqual(most);
    expect(executionStats.totalKeysExamined, context).toBeLessThanOrEqual(most + 1);
  }
}

describe('the list of users', () => {
  it.each(USER_SORTS)('reads both pages along an index, sorted by %s, with any filter', async (sort) => {
    for (const subscription of SUBSCRIPTION_FILTERS)
      for (const status of STATUS_FILTERS)
        for (const role of ROLE_FILTERS) {
          if (subscription !== 'all' && status !== 'all' && role !== 'all') continue;
          const query = { sort, subscription, status, role, limit: '5' };
          const { next } = await listUsers(terminal, query);
          if (next !== null) await listUsers(terminal, { ...query, cursor: next });
          await expectFlat(`${subscription}, ${status}, ${role}`);
        }
  });

  it.each([
    'person1',
    'rson1',
    'o',
    '@mail1',
    'mail1.example',
    '@demo.invalid',
    'nobody@',
    '(a+)+$',
    '$gt',
    idOf(7),
  ])('searches for %s along an index, with and without filters', async (search) => {
    for (const more of [
      {},
      { subscription: 'premium' },
      { status: 'suspended' },
      { active: '30' },
    ] as const) {
      const query = { search, limit: '5', ...more };
      const { next } = await listUsers(terminal, query);
      if (next !== null) await listUsers(terminal, { ...query, cursor: next });
      await expectFlat(search);
    }
  });

  it('reads the accounts active in the last 30 days along an index', async () => {
    const { next } = await listUsers(terminal, { active: '30', limit: '5' });
    await listUsers(terminal, { active: '30', limit: '5', cursor: next ?? '' });
    await expectFlat('active');
  });
});

describe('the other admin lists', () => {
  it('read the audit trail along an index, for each name and period', async () => {
    const names = [{}, { actor: 'cli:operator' }, { subject: idOf(3) }, { action: 'user.view' }];
    for (const name of names)
      for (const span of [{}, { startDate: '2090-03-01', endDate: '2090-03-10' }]) {
        const query = { ...name, ...span, limit: '5' };
        const { next } = await listAudit(terminal, query);
        if (next !== null) await listAudit(terminal, { ...query, cursor: next });
        await expectFlat(JSON.stringify(query));
      }
  });

  it('read every page of subscription events and billing issues along an index', async () => {
    for (const type of [undefined, 'payment_failed', 'payment_succeeded'] as const) {
      let after: string | undefined;
      for (let page = 0; page < 3; page += 1) {
        const { rows, next } = await listSubscriptionEvents(terminal, after, type);
        if (type !== undefined)
          expect(new Set(rows.map(({ eventType }) => eventType))).toEqual(new Set([type]));
        after = next ?? undefined;
        await expectFlat(`${type ?? 'all'}, page ${page}`);
      }
    }
    const { next } = await listBillingIssues(terminal, 'open');
    await listBillingIssues(terminal, 'open', next ?? undefined);
    await expectFlat('issues');
  });

  it('read the recent activity along an index', async () => {
    expect(await recentActivity(terminal)).toHaveLength(12);
    await expectFlat('activity');
  });
});
