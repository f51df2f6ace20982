import fc from 'fast-check';
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lastMonths, subscriptionRates, type EventSums } from '#app/domain/billing/revenue-figures.ts';
import { SUBSCRIPTION_EVENT_TYPES, type SubscriptionEvent } from '#app/domain/billing/subscription-events.ts';
import {
  subscriptionAnalytics,
  subscriptionFigures,
} from '#app/features/admin/subscriptions/subscription-figures.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { createSubscriptionMonths } from '#models/billing/subscription-sums.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';

/** Figures come from stored monthly sums, and must always equal a count of all events. */
const DAY = 86_400_000;
let db: TestDatabase;
let terminal: Ctx;
let written: SubscriptionEvent[] = [];

const stored = (name: string) => testConnection(db).collection(name);
async function clear(): Promise<void> {
  for (const name of ['subscription_events', 'subscription_months', 'subscription_days'])
    await stored(name).deleteMany({});
  written = [];
}

beforeAll(async () => {
  db = await openTestDatabase({ monitorCommands: true });
  terminal = db.ctx(TERMINAL);
});
afterAll(() => db.dispose());
beforeEach(clear);

type Told = Pick<SubscriptionEvent, 'eventType' | 'amountCents' | 'status' | 'createdAt'>;

function toEvent(told: Told): SubscriptionEvent {
  return { ...told, id: `evt_${written.length}`, details: '' };
}

async function record(told: Told): Promise<void> {
  const event = toEvent(told);
  written.push(event);
  await db.repos.subscriptionEvents.record('payer', event, db.clock.now());
}

const paid = (createdAt: Date, amountCents = 500): Told => ({
  eventType: 'payment_succeeded',
  amountCents,
  status: 'success',
  createdAt,
});
const daysAgo = (days: number) => new Date(db.clock.now().getTime() - days * DAY);

/** The expected figures, counted from all events one by one. */
function countAll(isCounted: (at: Date) => boolean): EventSums {
  const counted = written.filter(({ createdAt }) => isCounted(createdAt));
  const of = (type: string) => counted.filter(({ eventType }) => eventType === type).length;
  return {
    cents: counted.reduce(
      (sum, { status, amountCents }) => sum + (status === 'success' ? amountCents : 0),
      0,
    ),
    created: of('subscription_created'),
    canceled: of('subscription_canceled'),
    paid: of('payment_succeeded'),
    failed: of('payment_failed'),
  };
}

function expected() {
  const now = db.clock.now();
  const [from, earlier] = [daysAgo(30).getTime() + 1, daysAgo(60).getTime() + 1];
  const before = countAll((at) => at.getTime() < from);
  const during = countAll((at) => at.getTime() >= from && at <= now);
  const previous = countAll((at) => at.getTime() >= earlier && at.getTime() < from);
  const months = lastMonths(now, 12).map((month) => {
    const { cents, ...counts } = countAll((at) => at.toISOString().startsWith(month));
    return { month, revenue: cents / 100, ...counts };
  });
  const figures = { revenue: during.cents / 100, revenueBefore: previous.cents / 100 };
  return { figures: { ...subscriptionRates(before, during), ...figures }, months };
}

/** The figures of the subscriptions page and its analytics. */
const view = () => Promise.all([subscriptionFigures(terminal), subscriptionAnalytics(terminal)]);

async function expectAll(): Promise<void> {
  const { figures, months } = expected();
  const [shown, analytics] = await view();
  expect(shown).toMatchObject(figures);
  expect(analytics.months).toEqual(months);
}

type Step =
  | { does: 'look' }
  | { does: 'wait'; days: number }
  | { does: 'tell' | 'tell while looking'; told: Told };

const START = Date.parse('2090-03-10T12:00:00.000Z');
const told: fc.Arbitrary<Told> = fc.record({
  eventType: fc.constantFrom(...SUBSCRIPTION_EVENT_TYPES),
  amountCents: fc.integer({ min: -5000, max: 5000 }),
  status: fc.constantFrom('success' as const, 'failed' as const, 'pending' as const),
  createdAt: fc
    .oneof(
      fc.integer({ min: START - 430 * DAY, max: START }),
      fc.constantFrom(
        ...['2089-11-01', '2090-01-01', '2090-02-01', '2090-03-01'].map((day) => Date.parse(day)),
        ...['2089-11-01', '2090-02-01'].map((day) => Date.parse(day) - 1),
      ),
    )
    .map((at) => new Date(at)),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('look' as const) }),
  fc.record({ does: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
  { weight: 3, arbitrary: fc.record({ does: fc.constant('tell' as const), told }) },
  fc.record({ does: fc.constant('tell while looking' as const), told }),
);

describe('monthly subscription figures', () => {
  it('count all events, in any order of events and views', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await clear();
        let waited = 0;
        for (const now of steps) {
          if (now.does === 'look') await expectAll();
          if (now.does === 'tell') await record(now.told);
          if (now.does === 'tell while looking') await Promise.all([view(), record(now.told)]);
          if (now.does !== 'wait') continue;
          db.clock.advance(now.days * DAY);
          waited += now.days;
        }
        await expectAll();
        await expectAll();
        db.clock.advance(-waited * DAY);
      }),
      { numRuns: 10 },
    );
  });

  it('include an event that arrives while its month is being counted', async () => {
    await record(paid(daysAgo(100)));
    const month = daysAgo(100).toISOString().slice(0, 7);
    const months = createSubscriptionMonths(testConnection(db));
    const [first] = await months.list([month], async (from, to) => {
      const sums = await db.repos.billingAdmin.countEvents(from, to);
      await record(paid(daysAgo(100), 700));
      return sums;
    });
    expect(first).toMatchObject({ cents: 500, paid: 1 });
    await expectAll();
    const [again] = await months.list([month], () => Promise.reject(new Error('counted again')));
    expect(again).toMatchObject({ cents: 1200, paid: 2 });
  });

  it('know of a late event before its month is counted for the first time', async () => {
    await record(paid(daysAgo(100)));
    await record(paid(daysAgo(0)));
    // A count that begins while the event's transaction runs cannot see it, and must not be taken for complete.
    expect(await stored('subscription_months').find().toArray()).toEqual([
      expect.objectContaining({
        _id: daysAgo(100).toISOString().slice(0, 7),
        revision: 1,
        countedRevision: -1,
      }),
    ]);
    await expectAll();
  });

  it('do not read the events of a month that was already counted', async () => {
    for (let days = 0; days < 700; days += 7) await record(paid(daysAgo(days)));
    const instants: number[] = [];
    const single: unknown[] = [];
    const watch = ({ commandName, command }: CommandStartedEvent) => {
      if (command[commandName] !== 'subscription_events') return;
      if (commandName === 'find' && command['limit'] === 1) return void single.push(command['filter']);
      const { pipeline, filter } = command as { pipeline?: { $match: Told }[]; filter?: Told };
      const { createdAt } = (pipeline?.[0]?.$match ?? filter ?? {}) as { createdAt?: { $gte?: Date } };
      instants.push(createdAt?.$gte?.getTime() ?? 0);
    };
    const client = testConnection(db).getClient();
    client.on('commandStarted', watch);
    await expectAll();
    const reads = instants.length;
    expect(Math.min(...instants)).toBeLessThan(daysAgo(690).getTime());
    instants.length = 0;
    single.length = 0;
    await expectAll();
    client.off('commandStarted', watch);
    expect(instants.length).toBeGreaterThan(3);
    expect(instants.length).toBeLessThan(reads - 20);
    expect(Math.min(...instants)).toBeGreaterThanOrEqual(daysAgo(62).getTime());
    // The first event.
    expect(single).toEqual([{}, {}]);
  });

  it('look up the payments of ended trials by account, not among all payments', async () => {
    const events = Array.from({ length: 2000 }, (_, n) => ({
      _id: `evt_${n}`,
      userId: `payer${n % 500}`,
      ...paid(daysAgo(n % 100)),
      details: '',
    }));
    await stored('subscription_events').insertMany(events as never[]);
    const asked: Record<string, unknown>[] = [];
    const watch = ({ commandName, command }: CommandStartedEvent) => {
      const { pipeline = [] } = command as { pipeline?: { $match?: Record<string, unknown> }[] };
      const match = pipeline[0]?.$match;
      if (command[commandName] === 'subscription_events' && match?.['userId'] !== undefined)
        asked.push(match);
    };
    const users = Array.from({ length: 1200 }, (_, n) => ({
      _id: `payer${n * 50}`,
      email: `trial${n}@example.org`,
      trialStartedAt: daysAgo(20 + (n % 60)),
    }));
    await stored('users').insertMany(users as never[]);
    const client = testConnection(db).getClient();
    client.on('commandStarted', watch);
    const { trials } = await subscriptionAnalytics(terminal);
    client.off('commandStarted', watch);
    expect(trials).toEqual({ ended: 1200, paid: 10 });
    expect(asked).toHaveLength(2);
    for (const filter of asked) {
      const told = await testConnection(db).db?.command({
        explain: { find: 'subscription_events', filter },
        verbosity: 'executionStats',
      });
      const { executionStats } = told as { executionStats: { totalDocsExamined: number } };
      expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(40);
    }
    await stored('users').deleteMany({});
  });
});
