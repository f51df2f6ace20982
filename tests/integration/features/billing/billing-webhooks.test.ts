import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { getAccount } from '#app/features/accounts/profile.server.ts';
import { receiveWebhook } from '#app/features/billing/webhook-pages.server.ts';
import { getBilling } from '#app/features/billing/billing.server.ts';
import {
  deliver,
  newReports,
  type Reports,
  signed,
  WEBHOOK_SECRET,
  withReports,
} from '#tests/support/billing.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import {
  cardEvent,
  invoiceEvent,
  openInvoiceOf,
  rawEvent,
  refundEvent,
  subscriptionEvent,
  subscriptionObjectOf,
  type RawEvent,
  type SubscriptionShape,
} from '#tests/unit/domain/billing/stripe-events.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET } });
});
afterAll(() => db.dispose());

let people = 0;

/** A user with a known customer, whose payment provider reports what the test says. */
interface Customer {
  person: Person;
  userId: string;
  reports: Reports;
  /** The same event about this customer and its subscription. */
  mine(event: RawEvent): RawEvent;
  /** From now on the provider reports the subscription so. */
  is(shape: SubscriptionShape, open?: object[]): void;
  /** Delivers an event about this customer. */
  receive(event: RawEvent): Promise<void>;
}

async function newCustomer(): Promise<Customer> {
  people += 1;
  const person = await newPerson(db, `customer-${people}@example.org`);
  const userId = person.signedIn.user.id;
  const suffix = `of_${people}`;
  await db.repos.stripeCustomers.link(`cus_${suffix}`, userId);
  await db.repos.users.setStripeCustomer(userId, `cus_${suffix}`);
  const own = <T>(object: T): T =>
    JSON.parse(
      JSON.stringify(object)
        .replaceAll('"cus_1"', `"cus_${suffix}"`)
        .replaceAll('"sub_1"', `"sub_${suffix}"`),
    ) as T;
  const reports = newReports();
  const is = (shape: SubscriptionShape, open: object[] = []) =>
    void reports.now.set(`sub_${suffix}`, { subscription: own(subscriptionObjectOf(shape)), open });
  is({});
  const receive = (event: RawEvent) => deliver(db, own(event), withReports(db.ctx(), reports));
  return { person, userId, reports, mine: own, is, receive };
}

const now = () => Math.floor(db.clock.now().getTime() / 1000);
const MONTH = 30 * 86_400;
const begun = (at = now()) => subscriptionEvent('created', at, { periodEnd: at + MONTH });

/** All documents of all collections, as one text. */
async function everything(): Promise<string> {
  const database = testConnection(db).db;
  const names = ((await database?.listCollections().toArray()) ?? []).map(({ name }) => name).sort();
  const rows = await Promise.all(
    names.map(async (name) => [name, await database?.collection(name).find().sort({ _id: 1 }).toArray()]),
  );
  return JSON.stringify(rows);
}

const countOf = async (collection: string, userId: string) =>
  testConnection(db).db?.collection(collection).countDocuments({ userId });

describe('the signature', () => {
  it.each<[string, (event: object) => { payload: string; signature: string | null }]>([
    ['missing', (event) => ({ ...signed(db, event), signature: null })],
    ['empty', (event) => ({ ...signed(db, event), signature: '' })],
    ['made up', (event) => ({ ...signed(db, event), signature: `t=${now()},v1=${'0'.repeat(64)}` })],
    ['by another secret', (event) => signed(db, event, { secret: 'whsec_somebody_else' })],
    ['older than five minutes', (event) => signed(db, event, { at: new Date((now() - 301) * 1000) })],
    [
      'of another body',
      (event) => ({ ...signed(db, event), payload: JSON.stringify({ ...event, id: 'evt_x' }) }),
    ],
  ])('that is %s gives INVALID_INPUT, and nothing is written', async (_, forge) => {
    const { person, mine } = await newCustomer();
    const before = await everything();
    const { payload, signature } = forge(mine(begun()));
    expect(await codeOf(receiveWebhook(db.ctx(), payload, signature))).toBe('INVALID_INPUT');
    expect(await everything()).toBe(before);
    expect((await getAccount(person.ctx)).subscription).toBe('free');
  });
});

describe('irrelevant events', () => {
  it.each<[string, () => RawEvent]>([
    ['of an unknown type', () => rawEvent('payout.reconciliation_completed', now(), { id: 'po_1' })],
    ['of a type that begins like a method', () => rawEvent('constructor', now(), { id: 'x' })],
    ['about a customer that nobody here is', () => begun()],
    [
      'without a customer',
      () => rawEvent('checkout.session.completed', now(), { id: 'cs_1', subscription: 'sub_1' }),
    ],
  ])('%s are accepted, and nothing is written', async (_, make) => {
    const before = await everything();
    await deliver(db, make());
    expect(await everything()).toBe(before);
  });

  it('make nobody premium through the account they name besides the customer', async () => {
    const { person, userId } = await newCustomer();
    await deliver(db, subscriptionEvent('created', now(), { userId }));
    expect((await getAccount(person.ctx)).subscription).toBe('free');
  });
});

describe('what the provider reports', () => {
  it('counts, not what the event says', async () => {
    const { person, is, receive } = await newCustomer();
    is({ status: 'incomplete' });
    await receive(begun());
    expect((await getAccount(person.ctx)).subscription).toBe('free');
    is({ interval: 'year', periodEnd: now() + MONTH });
    await receive(subscriptionEvent('updated', now(), { status: 'past_due' }));
    expect((await getBilling(person.ctx)).billing).toMatchObject({
      billingStatus: 'active',
      plan: 'yearly',
      currentPeriodEnd: new Date((now() + MONTH) * 1000),
    });
  });

  it('is asked for by every event that names a subscription', async () => {
    const { person, reports, receive } = await newCustomer();
    const session = { id: 'cs_1', customer: 'cus_1', subscription: 'sub_1' };
    await receive(rawEvent('checkout.session.completed', now(), session));
    expect((await getAccount(person.ctx)).subscription).toBe('premium');
    await receive(invoiceEvent('paid', now()));
    await receive(cardEvent('payment_method.attached', now()));
    expect(reports.asked).toBe(2);
  });

  it('includes since when which bills are open', async () => {
    const { person, is, receive } = await newCustomer();
    const since = now() - 3 * 86_400;
    is({ status: 'past_due' }, [openInvoiceOf(since - 3600, { due: 700 })]);
    await receive(invoiceEvent('payment_failed', now()));
    const { billing, graceEndsAt } = await getBilling(person.ctx);
    expect(billing).toMatchObject({ billingStatus: 'past_due', pastDueSince: new Date(since * 1000) });
    expect(graceEndsAt).toEqual(new Date((since + 7 * 86_400) * 1000));
    const [mail] = (await db.mails()).filter(({ to }) => to === person.email);
    expect(mail?.text).toContain('$7.00');
  });

  it.each(['NOT_FOUND', 'PROVIDER_UNAVAILABLE'] as const)(
    'is needed: with %s nothing is written, and the event is redelivered',
    async (code) => {
      const { person, userId, reports, mine, receive } = await newCustomer();
      const refuse = () => Promise.reject(new AppError(code, 'no answer'));
      const ctx = withReports(db.ctx(), reports);
      const deaf = { ...ctx, payments: { ...ctx.payments, getSubscription: refuse } };
      const before = await everything();
      expect(await codeOf(deliver(db, mine(begun()), deaf))).toBe(code);
      expect(await everything()).toBe(before);
      await receive(begun());
      expect((await getAccount(person.ctx)).subscription).toBe('premium');
      expect(await countOf('billing_events', userId)).toBe(1);
    },
  );

  it('is asked again if a newer answer was stored while the older one was on its way', async () => {
    const { person, reports, is, receive } = await newCustomer();
    let isAsked = () => undefined as void;
    let mayArrive = () => undefined as void;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const arrives = new Promise<void>((resolve) => (mayArrive = resolve));
    reports.beforeAnswer = () => {
      isAsked();
      return arrives;
    };
    const slow = receive(subscriptionEvent('created', now()));
    await asked;
    reports.beforeAnswer = () => Promise.resolve();
    is({ status: 'canceled' });
    await receive(subscriptionEvent('deleted', now(), { status: 'canceled' }));
    mayArrive();
    await slow;
    expect((await getBilling(person.ctx)).billing.billingStatus).toBe('canceled');
    expect(reports.asked).toBe(3);
  });
});

describe('duplicate and unordered events', () => {
  it('the same body 20 times at once is one event', async () => {
    const { person, userId, receive } = await newCustomer();
    const [begin, paid] = [begun(), invoiceEvent('paid', now())];
    await Promise.all(Array.from({ length: 20 }, () => receive(begin)));
    await Promise.all(Array.from({ length: 20 }, () => receive(paid)));
    expect((await getAccount(person.ctx)).subscription).toBe('premium');
    expect(await countOf('subscription_events', userId)).toBe(2);
    expect(await countOf('billing_events', userId)).toBe(2);
    expect(await countOf('billing', userId)).toBe(1);
    expect((await db.repos.billing.find(userId)).version).toBe(2);
    const mails = (await db.mails()).filter(({ to }) => to === person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Premium is on']);
  });

  it('two events in the wrong order have the same result as in the right one', async () => {
    for (const turn of [(events: RawEvent[]) => events, (events: RawEvent[]) => events.toReversed()]) {
      const { person, is, receive } = await newCustomer();
      const start = now() - 1000;
      const events = [
        subscriptionEvent('created', start, { periodEnd: start + MONTH }),
        subscriptionEvent('deleted', start + 500, { status: 'canceled' }),
      ];
      is({ status: 'canceled' });
      for (const event of turn(events)) await receive(event);
      expect((await getBilling(person.ctx)).billing.billingStatus).toBe('canceled');
      expect((await getAccount(person.ctx)).subscription).toBe('free');
    }
  });

  it('all events of a subscription, sent at once in any order, give the final state', async () => {
    const start = now() - 5000;
    const life = [
      subscriptionEvent('created', start, { status: 'incomplete', periodEnd: start + MONTH }),
      invoiceEvent('paid', start + 10),
      subscriptionEvent('updated', start + 20, { periodEnd: start + MONTH }),
      invoiceEvent('payment_failed', start + 30, { id: 'in_2' }),
      subscriptionEvent('updated', start + 40, { status: 'past_due', periodEnd: start + 2 * MONTH }),
      cardEvent('payment_method.attached', start + 50),
      invoiceEvent('paid', start + 60, { id: 'in_2' }),
      subscriptionEvent('updated', start + 70, { periodEnd: start + 2 * MONTH, cancelAtPeriodEnd: true }),
    ];
    for (const order of [life, life.toReversed(), [...life.slice(4), ...life.slice(0, 4)]]) {
      const { person, userId, is, receive } = await newCustomer();
      is({ periodEnd: start + 2 * MONTH, cancelAtPeriodEnd: true });
      const told = order.map((event) => ({ ...event, id: `${event.id}_${userId}` }));
      await Promise.all([...told, ...told].map((event) => receive(event)));
      const { billing, card } = await getBilling(person.ctx);
      expect(billing).toMatchObject({ billingStatus: 'active', cancelAtPeriodEnd: true, pastDueSince: null });
      expect(card).toMatchObject({ last4: '4242' });
      expect(await db.repos.billingIssues.list(userId)).toMatchObject([
        { id: 'payment_failed:in_2', status: 'resolved' },
      ]);
      expect(await countOf('subscription_events', userId)).toBe(7);
      const user = await db.repos.users.find(userId);
      expect(user).toMatchObject({ billingStatus: 'active', pastDueSince: null });
    }
  });
});

describe('an event', () => {
  it('is recorded as one line, with refunds as negative amounts', async () => {
    const { userId, receive } = await newCustomer();
    const events = [begun(), invoiceEvent('paid', now()), refundEvent(now() + 1)];
    for (const event of events) await receive(event);
    const rows = await testConnection(db)
      .db?.collection('subscription_events')
      .find({ userId })
      .sort({ createdAt: 1, amountCents: 1 })
      .toArray();
    expect(rows?.map(({ eventType, amountCents, status }) => [eventType, amountCents, status])).toEqual([
      ['subscription_created', 0, 'success'],
      ['payment_succeeded', 500, 'success'],
      ['refunded', -500, 'success'],
    ]);
    for (const row of rows ?? []) expect(JSON.stringify(row)).not.toContain('@');
  });

  it('sends one mail about an expiring card', async () => {
    const { person, receive } = await newCustomer();
    const event = cardEvent('customer.source.expiring', now(), { id: 'card_9' });
    await receive(event);
    await receive(event);
    const mails = (await db.mails()).filter(({ to }) => to === person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your card is about to expire']);
  });
});
